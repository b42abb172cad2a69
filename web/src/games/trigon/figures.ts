/** The list of figures, which the rules use as well. */
export { default } from "../../../../src/tripot/games/trigon/rulebook/figures.txt?raw";
