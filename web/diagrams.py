"""The diagrams of the rulebooks: positions as texts here, as the page draws them in src/rulebooks.

python web/diagrams.py      writes them anew; a test says when that is due
"""

import json
from pathlib import Path

import tripot

FOLDER = Path(__file__).parent / "src" / "rulebooks"

# clause: the position, and what is to be seen in it
DIAGRAMS = {
    "TG-6": (
        "triggery -4,-11,-8,10,-21,-18/16,9,15,6,20,10/17,7,*,*,12,5/9,3,2,14,5,2/"
        "*,11,1,*,23,24/*,7,3,22,12,* "
        "24,17,8,18,1,15/7,14,9,6,8,12/2,6,1,*,11,4/19,12,*,21,5,2/*,9,7,*,*,16/5,3,*,4,22,* "
        "side=blue first=blue throw=5-2 bonus=by-hand",
        "In Blue's top row only the 10 on d1 is still open: it turns for free.",
        "Dans la rangée du haut de Bleu, seul le 10 en d1 est encore visible : il se retourne gratuitement.",
    ),
    "TR-4": (
        "trigon blue=Y@g7,d8-g8,f9+F@b10-d10,c11-e11+X@f12,e13-h13,g14+S@f10-h10,h11-j11+L6@j12-n12,j13 "
        "yellow=Y@x6,v7-x7,w8-x8+G@z6-ab6,z7,ab7-ac7+V@r2-s2,o3-r3+S@r4-s4,r5-s5,r6-s6+L6@q7,q8-u8 "
        "red=P6@r13-v13,s14+F@o12-p12,n13-p13,o14+W@j16-n16,l17+L6@o15-s15,s16+O@o17-q17,o18-q18 "
        "green=I6@o7,o8-p8,p9-q9,q10+Y@k1-n1,m2-n2+F@k8-m8,l9-n9+W@h6-l6,j7+S@l3-m3,l4-m4,l5-m5 "
        "colours=blue,yellow,red,green turn=blue",
        "Five rounds on: pieces of one colour meet at points only; different colours also lie side by side.",
        "Après cinq tours : les pièces d'une couleur ne se touchent que par des points ; deux couleurs "
        "peuvent aussi se longer.",
    ),
    "TO-4": (
        "triolet H8=2,H9=8,H10=5,I10=10 racks=?,?,?/?,?,? scores=45,20 turn=2",
        "The 5 and the 10 were laid last. Row H is a trio, 2 + 8 + 5 = 15, and scores 30; column 10 is a "
        "pair, 5 + 10, and scores 15.",
        "Le 5 et le 10 viennent d'être posés. La rangée H est un trio, 2 + 8 + 5 = 15, et rapporte 30 ; la "
        "colonne 10 est une paire, 5 + 10, et rapporte 15.",
    ),
    "TP-2": (
        "trippples q,368,128,349,168,239,678,o/127,289,149,234,467,348,268,269/"
        "367,279,129,148,178,369,689,237/378,146,138,N,N,167,379,679/249,479,139,N,N,126,123,147/789,389,278,347,189,267,247,179/"
        "248,246,124,468,134,346,478,238/O,236,137,169,489,469,136,Q pawns=f4,b4 turn=2",
        "Round, on b4, is to move. The arrows under Square, on f4, point south-west, south and east: Round "
        "goes to a3, b3 or c4.",
        "C'est à Rond, en b4. Les flèches sous Carré, en f4, montrent le sud-ouest, le sud et l'est : Rond "
        "va en a3, b3 ou c4.",
    ),
}


def made() -> dict[str, str]:
    """Each file's text, by the key of its game."""
    games: dict[str, dict[str, object]] = {}
    for clause, (position, en, fr) in DIAGRAMS.items():
        view = tripot.load(position).json() | {"legal": []}
        games.setdefault(position.split()[0], {})[clause] = {"view": view, "en": en, "fr": fr}
    return {key: json.dumps(clauses, ensure_ascii=False) + "\n" for key, clauses in games.items()}


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for key, text in made().items():
        (FOLDER / f"{key}.json").write_text(text, encoding="utf-8")
