import { readIco } from './picture-ico.ts'
import { readJpeg } from './picture-jpeg.ts'
import { type Bitmap, readPng } from './picture-png.ts'
import { readSvg } from './picture-svg.ts'
import { readWebp } from './picture-webp.ts'

export type Picture = Bitmap & { mediaType: string; extension: string }

type Reader = { mediaType: string; extension: string; read: (bytes: Buffer) => Promise<Bitmap | undefined> }
const READERS: Reader[] = [
  { mediaType: 'image/png', extension: 'png', read: readPng },
  { mediaType: 'image/jpeg', extension: 'jpg', read: readJpeg },
  { mediaType: 'image/webp', extension: 'webp', read: readWebp },
  { mediaType: 'image/x-icon', extension: 'ico', read: readIco },
  { mediaType: 'image/svg+xml', extension: 'svg', read: readSvg },
]
export const mediaTypeOf = (extension: string) =>
  READERS.find((one) => one.extension === extension)?.mediaType ?? 'application/octet-stream'

/** What a picture is, by its content rather than by its name, written anew without what is no picture; undefined of anything else. */
export async function readPicture(content: Uint8Array): Promise<Picture | undefined> {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  for (const { mediaType, extension, read } of READERS) {
    const found = await attempt(read, bytes)
    if (found) return { ...found, mediaType, extension }
  }
  return undefined
}

/** A file cut short ends before what it announces. */
async function attempt(read: Reader['read'], bytes: Buffer) {
  try {
    return await read(bytes)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
