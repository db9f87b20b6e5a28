import { NBSP, quoteText } from '../french.ts'
import { FileRefusedError } from './curve-file-types.ts'

const EXPECTED = `Attendu${NBSP}: une courbe de charge R63, HDM, de l’espace client ou d’un fournisseur (CSV ou Excel), un flux R50 ou R4x (XML), ou un tableau CSV ou Excel «${NBSP}Horodate;PRM…${NBSP}».`

export const createRefusal = (what: string): FileRefusedError => new FileRefusedError(`${what} ${EXPECTED}`)

const REFUSALS_BY_MAGIC: [number[], string][] = [
  [[0x25, 0x50, 0x44, 0x46], 'Ce fichier est un document PDF, pas une courbe de charge.'],
  [[0x89, 0x50, 0x4e, 0x47], 'Ce fichier est une image PNG, pas une courbe de charge.'],
  [[0xff, 0xd8, 0xff], 'Ce fichier est une image JPEG, pas une courbe de charge.'],
  [[0x47, 0x49, 0x46, 0x38], 'Ce fichier est une image GIF, pas une courbe de charge.'],
  [[0x1f, 0x8b], `Ce fichier est compressé (gzip)${NBSP}: décompressez-le, puis déposez le fichier qu’il contient.`],
  [
    [0x37, 0x7a, 0xbc, 0xaf],
    `Ce fichier est une archive 7z${NBSP}: décompressez-la, puis déposez les fichiers qu’elle contient.`,
  ],
  [
    [0xd0, 0xcf, 0x11, 0xe0],
    `Ce fichier est un classeur Excel d’un ancien format (.xls) ou protégé par un mot de passe${NBSP}: enregistrez-le en .xlsx sans mot de passe.`,
  ],
]

/** Refuses the files that their first bytes give away. */
export function refuseForeignMagic(bytes: Uint8Array): void {
  for (const [head, what] of REFUSALS_BY_MAGIC)
    if (head.every((byte, at) => bytes[at] === byte)) throw createRefusal(what)
}

const FLOW_NAMES: Record<string, string> = {
  R15: 'un flux R15 (relevés de facturation)',
  R151: 'un flux R151 (index quotidiens et puissances maximales)',
  R171: 'un flux R171 (index quotidiens)',
  R64: 'un flux R64 (index)',
  R65: 'un flux R65 (énergies quotidiennes)',
  R66: 'un flux R66 (puissances maximales)',
  R67: 'un flux R67 (énergies facturées)',
  C12: 'un flux C12 (événements de contrat)',
  C15: 'un flux C15 (événements de contrat)',
  F12: 'un flux F12 (facture d’acheminement)',
  F15: 'un flux F15 (facture d’acheminement)',
  X12: 'un flux X12 (affaires)',
  X13: 'un flux X13 (affaires)',
  Envelope: 'une réponse SOAP',
  html: 'une page web',
}

/** What a flow of the distributor is, by its code. */
export const getFlowName = (code: string): string | undefined =>
  Object.hasOwn(FLOW_NAMES, code) ? FLOW_NAMES[code] : FLOW_NAMES[code.split('_')[0] ?? '']

export function createForeignXmlRefusal(root: string): FileRefusedError {
  const flow = getFlowName(root) ?? `un XML de racine ${quoteText(root)}`
  return createRefusal(`Ce fichier est ${flow}, pas une courbe de charge.`)
}

export function createForeignJsonRefusal(head: string): FileRefusedError {
  const flow = /"codeFlux"\s*:\s*"(\w{1,6})"/.exec(head)?.[1]
  const what = flow ? (FLOW_NAMES[flow] ?? `un flux ${flow}`) : 'un document'
  return createRefusal(`Ce fichier est ${what} au format JSON, pas une courbe de charge.`)
}
