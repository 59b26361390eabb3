"""Holds an Excel file against a CSV of the same export, row by row and cell by cell.

Reads with Python's own zip, XML and CSV readers and knows nothing of Turnout but what its documents say: a CSV cell that a
spreadsheet would run begins with an apostrophe, an Excel cell does not. Prints the number of rows; exits 1 at the first that differs.
"""

import csv
import datetime
import re
import sys
import zipfile
from xml.etree.ElementTree import fromstring, iterparse

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
LINK = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
FIRST_DAY = datetime.datetime(1899, 12, 30)


def date_formats(styles):
    """For each cell style: None, or how its numbers are shown as a date."""
    codes = {f.get("numFmtId"): f.get("formatCode").replace("\\", "") for f in styles.iter(MAIN + "numFmt")}
    shown = {"yyyy-mm-dd hh:mm:ss": "%Y-%m-%d %H:%M:%S", "yyyy-mm-dd": "%Y-%m-%d"}
    return [shown.get(codes.get(xf.get("numFmtId"))) for xf in styles.find(MAIN + "cellXfs")]


def column(reference):
    number = 0
    for letter in reference.rstrip("0123456789"):
        number = number * 26 + ord(letter) - 64
    return number - 1


def value(cell, formats):
    kind = cell.get("t")
    if kind == "inlineStr":
        text = "".join(t.text or "" for t in cell.iter(MAIN + "t"))
        return re.sub("_x([0-9A-F]{4})_", lambda m: chr(int(m.group(1), 16)), text)
    number = cell.find(MAIN + "v").text
    if kind == "b":
        return number == "1"
    shown = formats[int(cell.get("s", "0"))]
    if shown is None:
        return float(number)
    moment = FIRST_DAY + datetime.timedelta(seconds=round(float(number) * 86400))
    return moment.strftime(shown)


def excel_rows(path):
    """The rows of every sheet, one after the other, without the headings of all but the first."""
    with zipfile.ZipFile(path) as file:
        formats = date_formats(fromstring(file.read("xl/styles.xml")))
        targets = {r.get("Id"): r.get("Target") for r in fromstring(file.read("xl/_rels/workbook.xml.rels"))}
        sheets = fromstring(file.read("xl/workbook.xml")).iter(MAIN + "sheet")
        for number, sheet in enumerate(sheets):
            with file.open("xl/" + targets[sheet.get(LINK)]) as xml:
                inside = None
                for event, element in iterparse(xml, events=("start", "end")):
                    if event == "start":
                        if element.tag == MAIN + "sheetData":
                            inside = element
                        continue
                    if element.tag != MAIN + "row":
                        continue
                    cells = {column(c.get("r")): value(c, formats) for c in element}
                    if number == 0 or element.get("r") != "1":
                        yield cells
                    inside.clear()


def same(text, cell):
    if cell is None:
        return text == ""
    if isinstance(cell, bool):
        return text == ("true" if cell else "false")
    if isinstance(cell, float):
        return float(text) == cell
    if re.match("'+[=+\\-@\t\r\n＝＋－＠]", text):
        text = text[1:]
    return text == cell


def main(csv_path, excel_path):
    excel = excel_rows(excel_path)
    rows = 0
    with open(csv_path, encoding="utf-8-sig", newline="") as file:
        for expected in csv.reader(file):
            cells = next(excel, None)
            if cells is None:
                sys.exit(f"the Excel file ends after {rows} rows")
            for i, text in enumerate(expected):
                if not same(text, cells.get(i)):
                    sys.exit(f"row {rows + 1}, column {i + 1}: {text!r} in the CSV, {cells.get(i)!r} in the Excel file")
            if any(i >= len(expected) for i in cells):
                sys.exit(f"row {rows + 1} of the Excel file has more cells")
            rows += 1
    if next(excel, None) is not None:
        sys.exit(f"the CSV ends after {rows} rows, the Excel file does not")
    print(rows)


main(*sys.argv[1:])
