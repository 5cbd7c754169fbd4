#include "CExiv2.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exiv2/exiv2.hpp>
#include <mutex>
#include <set>
#include <string>

namespace {

// The XMP toolkit inside Exiv2 and its log handler are global: one reader at a time.
std::mutex gate;
cexiv2_result *current = nullptr;

void note(cexiv2_result *result, const char *text) {
  if (result->warning[0] != 0) return;
  std::snprintf(result->warning, sizeof result->warning, "%s", text);
  size_t length = std::strlen(result->warning);
  while (length > 0 && result->warning[length - 1] == '\n') result->warning[--length] = 0;
}

void keepMessage(int level, const char *text) {
  if (current && level >= Exiv2::LogMsg::error) note(current, text);
}

void store(cexiv2_blob &blob, const void *bytes, size_t count) {
  if (count == 0) return;
  blob.bytes = static_cast<uint8_t *>(std::malloc(count));
  if (!blob.bytes) return;
  std::memcpy(blob.bytes, bytes, count);
  blob.count = count;
}

// IFD0 tags that speak of the photograph and not of how its pixels are stored (TIFF 6.0, EXIF 2.32, Windows XP*).
const std::set<uint16_t> kept = {0x010e, 0x010f, 0x0110, 0x011a, 0x011b, 0x0128, 0x0132, 0x013b, 0x013c, 0x4746,
                                 0x4749, 0x8298, 0x9c9b, 0x9c9c, 0x9c9d, 0x9c9e, 0x9c9f};
// EXIF tags that speak of the source's file: compressed bits per pixel, related sound file, interoperability pointer.
const std::set<uint16_t> droppedPhoto = {0x9102, 0xa004, 0xa005};
// Groups that describe other images of the source or a raw decoder's settings.
const char *const droppedGroups[] = {"Thumbnail", "Iop", "SubImage", "SubThumb", "Image2", "Image3", "PanasonicRaw", "MpfInfo"};
const char *const droppedXMP[] = {"crs", "crss", "xmpGImg"};

bool isKept(const Exiv2::Exifdatum &datum) {
  const std::string group = datum.groupName();
  if (group == "Image") return kept.count(datum.tag()) > 0;
  if (group == "Photo") return droppedPhoto.count(datum.tag()) == 0;
  for (const char *prefix : droppedGroups)
    if (group.compare(0, std::strlen(prefix), prefix) == 0) return false;
  return true;
}

void setDefault(Exiv2::ExifData &data, const char *key, const char *type, const char *text) {
  if (data.findKey(Exiv2::ExifKey(key)) != data.end()) return;
  auto value = Exiv2::Value::create(Exiv2::TypeInfo::typeId(type));
  value->read(text);
  data.add(Exiv2::ExifKey(key), value.get());
}

void dropMakerNote(Exiv2::ExifData &data) {
  for (auto datum = data.begin(); datum != data.end();) {
    const std::string group = datum->groupName();
    const bool standard = group == "Image" || (group == "Photo" && datum->tag() != 0x927c) || group == "GPSInfo";
    datum = standard ? std::next(datum) : data.erase(datum);
  }
}

// What is left when a block has to fit one JPEG segment: fields of more bytes than any short text or number has.
void dropLargeFields(Exiv2::ExifData &data) {
  const size_t large = 1024;
  for (auto datum = data.begin(); datum != data.end();)
    datum = (size_t)datum->size() > large ? data.erase(datum) : std::next(datum);
}

// Cameras without a receiver write a GPS directory that has a version and nothing else.
void dropEmptyGPS(Exiv2::ExifData &data) {
  for (const auto &datum : data)
    if (datum.groupName() == "GPSInfo" && datum.tag() != 0) return;
  for (auto datum = data.begin(); datum != data.end();)
    datum = datum->groupName() == "GPSInfo" ? data.erase(datum) : std::next(datum);
}

void encodeExif(Exiv2::ExifData &data, const cexiv2_request &request, cexiv2_result *result) {
  for (auto datum = data.begin(); datum != data.end();) datum = isKept(*datum) ? std::next(datum) : data.erase(datum);
  dropEmptyGPS(data);
  if (data.empty()) return;
  data["Exif.Image.Orientation"] = request.orientation;
  data["Exif.Image.Software"] = std::string(request.software);
  data["Exif.Photo.PixelXDimension"] = request.width;
  data["Exif.Photo.PixelYDimension"] = request.height;
  data["Exif.Photo.ColorSpace"] = request.colour_space;
  setDefault(data, "Exif.Image.XResolution", "Rational", "72/1");
  setDefault(data, "Exif.Image.YResolution", "Rational", "72/1");
  setDefault(data, "Exif.Image.ResolutionUnit", "Short", "2");
  setDefault(data, "Exif.Image.YCbCrPositioning", "Short", "1");
  setDefault(data, "Exif.Photo.ExifVersion", "Undefined", "48 50 51 50");
  setDefault(data, "Exif.Photo.ComponentsConfiguration", "Undefined", "1 2 3 0");
  setDefault(data, "Exif.Photo.FlashpixVersion", "Undefined", "48 49 48 48");
  Exiv2::Blob blob;
  try {
    Exiv2::ExifParser::encode(blob, Exiv2::littleEndian, data);
  } catch (const std::exception &) {
    blob.clear();
  }
  if (blob.empty() || blob.size() > request.exif_limit) {
    dropMakerNote(data);
    blob.clear();
    Exiv2::ExifParser::encode(blob, Exiv2::littleEndian, data);
    note(result, blob.size() > request.exif_limit ? "the maker note and large EXIF fields were left out"
                                                  : "the maker note was left out");
  }
  if (blob.size() > request.exif_limit) {
    dropLargeFields(data);
    blob.clear();
    Exiv2::ExifParser::encode(blob, Exiv2::littleEndian, data);
    note(result, "large EXIF fields were left out");
  }
  if (blob.size() > request.exif_limit)
    note(result, "the EXIF data is too large and was left out");
  else
    store(result->exif, blob.data(), blob.size());
}

void encodeXMP(Exiv2::XmpData &data, const cexiv2_request &request, cexiv2_result *result) {
  for (auto datum = data.begin(); datum != data.end();) {
    const std::string group = datum->groupName(), name = datum->tagName();
    bool drop = group == "tiff" || (group == "exif" && (name == "PixelXDimension" || name == "PixelYDimension")) ||
                (group == "exif" && name == "ColorSpace") || (group == "xmp" && name.compare(0, 10, "Thumbnails") == 0);
    for (const char *prefix : droppedXMP) drop = drop || group == prefix;
    datum = drop ? data.erase(datum) : std::next(datum);
  }
  if (data.empty()) return;
  std::string packet;
  if (Exiv2::XmpParser::encode(packet, data, Exiv2::XmpParser::useCompactFormat | Exiv2::XmpParser::readOnlyPacket) != 0)
    return note(result, "the XMP data cannot be encoded");
  if (packet.size() > request.xmp_limit) return note(result, "the XMP data is too large and was left out");
  store(result->xmp, packet.data(), packet.size());
}

// Runs `body` as the one reader; what it throws becomes the warning.
template <typename Body>
void guarded(cexiv2_result *result, const Body &body) {
  std::memset(result, 0, sizeof *result);
  std::lock_guard<std::mutex> lock(gate);
  static const bool ready = [] {
    Exiv2::LogMsg::setHandler(keepMessage);
#ifdef EXV_ENABLE_BMFF
    Exiv2::enableBMFF(true);
#endif
    return Exiv2::XmpParser::initialize();
  }();
  (void)ready;
  current = result;
  try {
    body();
  } catch (const std::exception &error) {
    note(result, error.what());
  } catch (...) {
    note(result, "the metadata cannot be read");
  }
  current = nullptr;
}

}  // namespace

void cexiv2_read(const char *path, const cexiv2_request *request, cexiv2_result *result) {
  guarded(result, [&] {
    auto image = Exiv2::ImageFactory::open(std::string(path));
    image->readMetadata();
    if (image->iccProfileDefined()) store(result->icc, image->iccProfile()->pData_, (size_t)image->iccProfile()->size_);
    encodeExif(image->exifData(), *request, result);
    encodeXMP(image->xmpData(), *request, result);
  });
}

void cexiv2_convert(cexiv2_source source, const cexiv2_request *request, cexiv2_result *result) {
  guarded(result, [&] {
    Exiv2::ExifData exif;
    Exiv2::XmpData xmp;
    // A block that is beyond reading leaves the other alone.
    try {
      if (source.exif_count) Exiv2::ExifParser::decode(exif, source.exif, (uint32_t)source.exif_count);
    } catch (const std::exception &) {
      note(result, "the EXIF data are damaged and were left out");
      exif.clear();
    }
    encodeExif(exif, *request, result);
    const std::string packet(source.xmp_count ? (const char *)source.xmp : "", source.xmp_count);
    if (!packet.empty() && Exiv2::XmpParser::decode(xmp, packet) != 0) {
      note(result, "the XMP data are damaged and were left out");
      xmp.clear();
    }
    encodeXMP(xmp, *request, result);
  });
}

void cexiv2_free(cexiv2_result *result) {
  std::free(result->exif.bytes);
  std::free(result->xmp.bytes);
  std::free(result->icc.bytes);
  std::memset(result, 0, sizeof *result);
}
