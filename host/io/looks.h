// looks: which strands are drawn as what, for pictures of every kind and for what files have to hold for them.
#ifndef SHEAF_IO_LOOKS_H
#define SHEAF_IO_LOOKS_H

#define LOOKS_FEW_STRANDS 12 // so many are drawn as tubes however thin they are
#define LOOKS_TUBE_FROM 3e-4 // m, radius from which any strand is
#define LOOKS_FLAT_FROM 2.5  // ratio of half axes from which a section is drawn as a blade

#endif
