/** The figures of the house, from the one list that the rules read as well. */
export { default } from "../../../../src/tripot/games/trigon/rulebook/figures.txt?raw";
