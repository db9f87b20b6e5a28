import { FileRefusedError } from './curve-file-types.ts'
import { NBSP } from './french.ts'

const EXPECTED = `Attendu${NBSP}: une courbe de charge R63, HDM, de l’espace client ou d’un fournisseur (CSV ou Excel), un flux R50 ou R4x (XML), ou un tableau CSV ou Excel «${NBSP}Horodate;PRM…${NBSP}».`

export const createRefusal = (what: string): FileRefusedError => new FileRefusedError(`${what} ${EXPECTED}`)

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

export function createForeignJsonRefusal(head: string): FileRefusedError {
  const flow = /"codeFlux"\s*:\s*"(\w{1,6})"/.exec(head)?.[1]
  const what = flow ? (FLOW_NAMES[flow] ?? `un flux ${flow}`) : 'un document'
  return createRefusal(`Ce fichier est ${what} au format JSON, pas une courbe de charge.`)
}
