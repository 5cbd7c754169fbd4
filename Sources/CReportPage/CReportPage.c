// The parts of the HTML report, embedded as they lie in the files of `page`.

#include "CReportPage.h"

static const unsigned char html[] = {
#embed "page/page.html"
};
static const unsigned char css[] = {
#embed "page/page.css"
};
static const unsigned char js[] = {
#embed "page/page.js"
};

creport_part creport_html(void) { return (creport_part){html, sizeof html}; }
creport_part creport_css(void) { return (creport_part){css, sizeof css}; }
creport_part creport_js(void) { return (creport_part){js, sizeof js}; }
