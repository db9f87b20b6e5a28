import { NBSP } from '@voisol/file-formats/french'
import type { DistributorFault } from '../../../integrations/enedis/enedis-faults.ts'

/**
 * Why a file is put aside: it cannot be opened, is something else, has invalid content, belongs to unknown points,
 * needs a person to say how to read it, or was sent by a user without permission.
 */
const QUARANTINE_CODES = ['archive', 'bomb', 'key', 'kind', 'content', 'points', 'gone', 'asks', 'asker'] as const
export type QuarantineCode = (typeof QUARANTINE_CODES)[number]

/** Puts the whole file aside; the message is a sentence for the user. */
export class QuarantineError extends Error {
  override readonly name = 'Quarantined'
  readonly code: QuarantineCode
  constructor(code: QuarantineCode, message: string) {
    super(message)
    this.code = code
  }
}

const QUARANTINE_REMEDIES: Record<QuarantineCode, string> = {
  archive: 'Téléchargez de nouveau le fichier chez le distributeur, puis déposez-le.',
  bomb: 'Vérifiez d’où vient ce fichier. Demandez au distributeur une archive par période ou par groupe de points.',
  key: 'Vérifiez la clé des fichiers dans les réglages de synchronisation, puis relisez le fichier.',
  kind: `Déposez une courbe (R63, R50, R4x, HDM), des index (R64, R15, R151, R171) ou un flux C15.`,
  content: 'Demandez au distributeur de publier à nouveau ce fichier, puis déposez-le.',
  points: 'Ajoutez les points à une opération, puis relisez le fichier.',
  gone: 'Déposez le fichier à nouveau.',
  asks: `Ouvrez les imports des courbes de charge${NBSP}: le fichier y attend que vous disiez comment le lire.`,
  asker: 'Faites relire le fichier par quelqu’un qui en a le droit.',
}

/** The refusal as an entry of the error log. */
export const toQuarantineFault = (code: QuarantineCode, message: string): DistributorFault => ({
  code: `file-${code}`,
  status: null,
  message,
  nature: 'answer',
  explanation: message,
  remedy: QUARANTINE_REMEDIES[code],
})
