#!/usr/bin/env python3
"""Count the words of a text and name the most frequent ones."""
import argparse
import json
import re
from collections import Counter


def main() -> None:
    parser = argparse.ArgumentParser(description="Count the words of a text and name the most frequent ones.")
    parser.add_argument("--text", required=True, help="the text itself")
    parser.add_argument("--top", type=int, default=3, help="how many frequent words to name")
    parser.add_argument("--json", action="store_true", help="answer with JSON")
    args = parser.parse_args()

    words = re.findall(r"[^\W\d_]+", args.text.lower())
    top = [word for word, _ in Counter(words).most_common(args.top)]
    if args.json:
        print(json.dumps({"ok": True, "data": {"words": len(words), "top": top}}))
    else:
        print(f"{len(words)} words: {', '.join(top)}")


if __name__ == "__main__":
    main()
