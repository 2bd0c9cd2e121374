// html: pages that need no other file.
#include "io/html.h"

#include <string.h>

static const char style[] =
    "<style>\n"
    ":root{--ink:#1c2733;--soft:#5d6b7a;--line:#dfe4ea;--paper:#fff;--back:#f3f5f8;--accent:#2b6cb0}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0;background:var(--back);color:var(--ink);font:15px/1.5 Helvetica,Arial,sans-serif}\n"
    "main{max-width:1240px;margin:0 auto;padding:28px 20px 60px}\n"
    "h1{font-size:27px;margin:0;line-height:1.2}h2{font-size:17px;margin:0 0 12px}\n"
    "header{display:flex;gap:16px;align-items:center;justify-content:space-between;margin-bottom:20px}\n"
    "header p{margin:4px 0 0;color:var(--soft)}\n"
    ".chip{padding:5px 14px;border-radius:20px;font-weight:bold;white-space:nowrap}\n"
    ".good{background:#d9f2e3;color:#136b3a}.bad{background:#fde2e0;color:#a4261d}.odd{background:#fdf0d0;color:#"
    "7a5800}\n"
    ".grid{display:grid;gap:18px;grid-template-columns:1fr 1fr;margin-bottom:18px}\n"
    ".box{background:var(--paper);border:1px solid var(--line);border-radius:10px;padding:18px;min-width:0}\n"
    ".box svg,.box img{display:block;width:100%;height:auto;border-radius:6px}\n"
    ".cards{display:grid;grid-template-columns:1fr 1fr;gap:12px;align-content:start}\n"
    ".card{background:var(--paper);border:1px solid var(--line);border-radius:10px;padding:12px 16px}\n"
    ".card b{display:block;font-size:21px;font-variant-numeric:tabular-nums}.card "
    "span{color:var(--soft);font-size:13px}\n"
    "table{border-collapse:collapse;width:100%}td,th{padding:5px 8px;border-bottom:1px solid var(--line);"
    "text-align:left;vertical-align:top}th{color:var(--soft);font-weight:normal;font-size:13px}\n"
    "td.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}tr:last-child td{border-bottom:0}\n"
    "a{color:var(--accent)}.bar{background:var(--back);border-radius:4px;height:16px;min-width:120px}\n"
    ".bar i{display:block;height:16px;border-radius:4px;background:var(--accent);min-width:2px}\n"
    "footer{color:var(--soft);font-size:13px;margin-top:22px}\n"
    "@media(max-width:860px){.grid{grid-template-columns:1fr}}\n"
    "</style>\n";

void io_html_text(base_text *html, const char *text)
{
    for (; *text; text++) {
        const char *entity = *text == '&'    ? "&amp;"
                             : *text == '<'  ? "&lt;"
                             : *text == '>'  ? "&gt;"
                             : *text == '"'  ? "&quot;"
                             : *text == '\'' ? "&#39;"
                                             : NULL;
        base_text_add_bytes(html, entity ? entity : text, entity ? strlen(entity) : 1);
    }
}

void io_html_base64(base_text *html, const char *bytes, size_t length)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t k = 0; k < length; k += 3) {
        const size_t rest = length - k;
        const unsigned char *b = (const unsigned char *)bytes + k;
        const unsigned word = (unsigned)b[0] << 16 | (rest > 1 ? (unsigned)b[1] << 8 : 0) | (rest > 2 ? b[2] : 0);
        const char four[4] = {letters[word >> 18], letters[word >> 12 & 63], rest > 1 ? letters[word >> 6 & 63] : '=',
                              rest > 2 ? letters[word & 63] : '='};
        base_text_add_bytes(html, four, 4);
    }
}

void io_html_open(base_text *html, const char *title)
{
    base_text_add(html, "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'>\n"
                        "<meta name='viewport' content='width=device-width,initial-scale=1'>\n<title>");
    io_html_text(html, title);
    base_text_add(html, " - Sheaf</title>\n%s</head>\n<body><main>\n", style);
}

void io_html_close(base_text *html)
{
    base_text_add(html, "<footer>Made by Sheaf %s. This page needs no other file.</footer>\n</main></body></html>\n",
                  sheaf_version());
}
