// html: pages that need no other file: one look for all of them, text and pictures made safe to put in.
#ifndef SHEAF_IO_HTML_H
#define SHEAF_IO_HTML_H

#include "base/text.h"

// Begins a page, up to and with <main>; ends it with a line that says what made it.
void io_html_open(base_text *html, const char *title);
void io_html_close(base_text *html);

// Adds text, whatever it holds.
void io_html_text(base_text *html, const char *text);

// Adds bytes as base64, for data: addresses.
void io_html_base64(base_text *html, const char *bytes, size_t length);

#endif
