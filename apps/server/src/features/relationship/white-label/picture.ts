import { sanitizeIco } from './picture-ico.ts'
import { sanitizeJpeg } from './picture-jpeg.ts'
import { type Bitmap, sanitizePng } from './picture-png.ts'
import { sanitizeSvg } from './picture-svg.ts'
import { sanitizeWebp } from './picture-webp.ts'

export type SanitizedImage = Bitmap & { mediaType: string; extension: string }

type ImageFormat = { mediaType: string; extension: string; read: (bytes: Buffer) => Promise<Bitmap | undefined> }
const IMAGE_FORMATS: ImageFormat[] = [
  { mediaType: 'image/png', extension: 'png', read: sanitizePng },
  { mediaType: 'image/jpeg', extension: 'jpg', read: sanitizeJpeg },
  { mediaType: 'image/webp', extension: 'webp', read: sanitizeWebp },
  { mediaType: 'image/x-icon', extension: 'ico', read: sanitizeIco },
  { mediaType: 'image/svg+xml', extension: 'svg', read: sanitizeSvg },
]
export const getImageMediaType = (extension: string) =>
  IMAGE_FORMATS.find((one) => one.extension === extension)?.mediaType ?? 'application/octet-stream'

/** What a picture is, by its content rather than by its name, written anew without what is no picture; undefined of anything else. */
export async function sanitizeImage(content: Uint8Array): Promise<SanitizedImage | undefined> {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  for (const { mediaType, extension, read } of IMAGE_FORMATS) {
    const found = await trySanitize(read, bytes)
    if (found) return { ...found, mediaType, extension }
  }
  return undefined
}

/** A file cut short ends before what it announces. */
async function trySanitize(read: ImageFormat['read'], bytes: Buffer) {
  try {
    return await read(bytes)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
