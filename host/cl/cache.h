// cache: what is kept between runs: programs, trials of lane widths, stamps of devices that passed their test.
//
// A folder of the user, $XDG_CACHE_HOME/sheaf (or ~/.cache/sheaf). Everything in it can be made again: an entry that is
// damaged, cut short or belongs to something else is dropped, and a folder that cannot be written only costs time.
#ifndef SHEAF_CL_CACHE_H
#define SHEAF_CL_CACHE_H

#include "base/text.h"

enum { CACHE_PATH_SIZE = 1024 };

// Path of the folder, made if need be. False when there is none that is ours alone and can be written; the reason is
// then told once per process as a notice.
bool cache_folder(char path[CACHE_PATH_SIZE]);

// Whether a folder within it, made if need be, is ours alone, too, can be written, and is no symbolic link. The reason
// why not is told in the same way.
bool cache_has_folder(const char *path);

// Finds the entry of this kind (a short word) and key (any text). False when there is none, or none that is sound.
bool cache_load(const char *kind, const char *key, base_text *content);

// Keeps an entry, replacing an older one, so that other processes see it whole or not at all. Failure is not told: the
// entry is then made again next time.
void cache_store(const char *kind, const char *key, const void *bytes, size_t size);

#endif
