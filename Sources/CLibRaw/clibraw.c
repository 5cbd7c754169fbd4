#include "CLibRaw.h"
