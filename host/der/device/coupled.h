// coupled: steps of strands that act on each other, by the verbs of an engine that was opened for it (cl/coupled.h).
#ifndef SHEAF_DER_DEVICE_COUPLED_H
#define SHEAF_DER_DEVICE_COUPLED_H

#include "cl/engine.h"
#include "couple/contact.h"

typedef struct der_coupled der_coupled;

// What the strands of an engine do to each other, and its loops to themselves. Without `contact` (NULL, else it must
// outlive this) they step as each would alone. Returns SHEAF_OK, SHEAF_ERR_MEMORY.
sheaf_status der_coupled_open(sheaf_engine *engine, contact_set *contact, der_coupled **out);
void der_coupled_close(der_coupled *c);

// Takes steps; waits. Returns SHEAF_OK, SHEAF_ERR_DEVICE, SHEAF_ERR_LIMIT, SHEAF_ERR_MEMORY.
sheaf_status der_coupled_step(der_coupled *c, uint32_t count);

#endif
