// The parts of the HTML report, embedded as they lie in the files of `page`.
#pragma once
#include <stddef.h>

/// One part: its bytes, UTF-8, without a terminator.
typedef struct {
  const unsigned char *bytes;
  size_t count;
} creport_part;

/// The document, with marks where the other parts and the data go.
creport_part creport_html(void);
/// Its style sheet.
creport_part creport_css(void);
/// Its script.
creport_part creport_js(void);
