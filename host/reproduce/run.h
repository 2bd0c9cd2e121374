// run: an experiment under way, as the frame sees it.
#ifndef SHEAF_REPRODUCE_RUN_H
#define SHEAF_REPRODUCE_RUN_H

#include "reproduce/reproduce.h"

struct reproduce_run {
    const reproduce_experiment *experiment;
    const reproduce_options *options;
    const reproduce_hooks *hooks;
    reproduce_summary *summary;
    char *folder;          // of this experiment
    uint32_t first_row;    // of the summary
    base_text paper, here; // paragraphs
    base_text figures;     // plots and pictures
    base_text files;       // links to data
};

// A scene of scenes/papers/, put into the command at build time.
typedef struct reproduce_scene {
    const char *name;
    const unsigned char *bytes;
    size_t size;
} reproduce_scene;

// Ended by an entry without a name.
extern const reproduce_scene reproduce_scenes[];

// Adds the experiment's section to a page.
void reproduce_add_section(const reproduce_run *run, base_text *html);

// Adds what stands before all sections: what it is, and every verdict.
void reproduce_add_head(const reproduce_options *options, const reproduce_summary *summary, base_text *html);

#endif
