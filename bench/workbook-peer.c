/* The same rows as workbook-rows.ts through libxlsxwriter with constant memory; prints time and peak memory. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <xlsxwriter.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000.0 + t.tv_nsec / 1e6;
}

int main(int argc, char **argv) {
  long rows = argc > 1 ? atol(argv[1]) : 0;
  double started = now();
  lxw_workbook_options options = {.constant_memory = LXW_TRUE, .tmpdir = NULL, .use_zip64 = LXW_FALSE};
  lxw_workbook *book = workbook_new_opt(argv[2], &options);
  lxw_worksheet *sheet = workbook_add_worksheet(book, "rows");
  lxw_format *money = workbook_add_format(book), *when = workbook_add_format(book), *text = workbook_add_format(book);
  format_set_num_format(money, "#,##0.00;[Red]-#,##0.00");
  format_set_num_format(when, "yyyy-mm-dd hh:mm:ss");
  format_set_num_format(text, "@");
  char account[32], order[32], payer[64], entry[32];
  for (long n = 0; n < rows; n++) {
    lxw_row_t row = (lxw_row_t)(n + 1);
    double at = 46082.0 + (double)(n % 86400) / 86400.0, amount = (100 + n * 7) / 100.0, fee = (n % 50) / 100.0;
    snprintf(account, sizeof account, "62170000%ld", 1000000 + n % 997);
    snprintf(order, sizeof order, "D2026030100%ld", 10000000 + n);
    snprintf(payer, sizeof payer, "客户%ld有限公司", n % 5000);
    snprintf(entry, sizeof entry, "E%ld", n);
    worksheet_write_string(sheet, row, 0, account, text);
    worksheet_write_string(sheet, row, 1, order, text);
    worksheet_write_number(sheet, row, 2, at, when);
    worksheet_write_number(sheet, row, 3, amount, money);
    worksheet_write_number(sheet, row, 4, fee, money);
    worksheet_write_string(sheet, row, 5, "ORDER", text);
    worksheet_write_number(sheet, row, 6, amount - fee, money);
    worksheet_write_string(sheet, row, 7, payer, text);
    worksheet_write_string(sheet, row, 8, entry, text);
    worksheet_write_number(sheet, row, 9, at, when);
    worksheet_write_number(sheet, row, 10, amount, money);
    worksheet_write_string(sheet, row, 11, "reference", text);
  }
  if (workbook_close(book) != LXW_NO_ERROR) return 1;
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("{\"ms\": %.1f, \"peakMb\": %.1f}", now() - started, usage.ru_maxrss / 1024.0);
  return 0;
}
