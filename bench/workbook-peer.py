"""The same rows as workbook-rows.ts through xlsxwriter with constant memory; prints time and peak memory."""
import json
import resource
import sys
import time

import xlsxwriter

rows, path = int(sys.argv[1]), sys.argv[2]
started = time.monotonic()
book = xlsxwriter.Workbook(path, {"constant_memory": True})
sheet = book.add_worksheet("rows")
money = book.add_format({"num_format": "#,##0.00;[Red]-#,##0.00"})
when = book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"})
text = book.add_format({"num_format": "@"})
for n in range(rows):
    at, amount, fee = 46082 + (n % 86400) / 86400, (100 + n * 7) / 100, (n % 50) / 100
    sheet.write_string(n + 1, 0, f"62170000{1000000 + n % 997}", text)
    sheet.write_string(n + 1, 1, f"D2026030100{10000000 + n}", text)
    sheet.write_number(n + 1, 2, at, when)
    sheet.write_number(n + 1, 3, amount, money)
    sheet.write_number(n + 1, 4, fee, money)
    sheet.write_string(n + 1, 5, "ORDER", text)
    sheet.write_number(n + 1, 6, amount - fee, money)
    sheet.write_string(n + 1, 7, f"客户{n % 5000}有限公司", text)
    sheet.write_string(n + 1, 8, f"E{n}", text)
    sheet.write_number(n + 1, 9, at, when)
    sheet.write_number(n + 1, 10, amount, money)
    sheet.write_string(n + 1, 11, "reference", text)
book.close()
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({"ms": (time.monotonic() - started) * 1000, "peakMb": peak}))
