// report: a run as one HTML page that needs no other file: figures, plots, picture, settings, strands to look at.
#ifndef SHEAF_IO_REPORT_H
#define SHEAF_IO_REPORT_H

#include "io/thermo.h"

#include <jansson.h>

// A strand that is worth a look, and why.
typedef struct io_report_strand {
    uint64_t strand;
    char reason[96];
} io_report_strand;

// A file of the folder.
typedef struct io_report_file {
    const char *name, *doc;
    uint64_t size; // bytes
} io_report_file;

typedef struct io_report {
    const json_t *record; // run.json
    const io_thermo *thermo;
    const base_text *picture; // an SVG, or with picture_is_png a PNG; NULL: there is none
    bool picture_is_png;
    const io_report_strand *strands;
    size_t strand_count;
    const io_report_file *files;
    size_t file_count;
} io_report;

// Adds the page to `html`. Returns SHEAF_OK, SHEAF_ERR_MEMORY.
sheaf_status io_report_write(const io_report *report, base_text *html);

#endif
