/** What other programs' files begin with: pictures, papers, archives that are neither a table nor a curve. */
const FILE_SIGNATURES: [number[], string][] = [
  [[0x25, 0x50, 0x44, 0x46], 'un document PDF'],
  [[0x89, 0x50, 0x4e, 0x47], 'une image PNG'],
  [[0xff, 0xd8, 0xff], 'une image JPEG'],
  [[0x47, 0x49, 0x46, 0x38], 'une image GIF'],
  [[0x37, 0x7a, 0xbc, 0xaf], 'une archive 7z'],
  [[0xd0, 0xcf, 0x11, 0xe0], 'un classeur Excel d’un ancien format'],
]

/** What a file is, where it is none of ours: « une image PNG ». */
export const detectForeignFileType = (bytes: Uint8Array): string | undefined =>
  FILE_SIGNATURES.find(([magic]) => magic.every((byte, at) => bytes[at] === byte))?.[1]
