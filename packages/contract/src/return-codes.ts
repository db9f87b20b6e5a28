/** What follows a debit that a bank gives back: once more later, the end of the mandate, or a person. */
type ReturnConsequence = 'retry' | 'stop' | 'ask'
type ReturnCode = { reason: string; consequence: ReturnConsequence }
const stopCode = (reason: string): ReturnCode => ({ reason, consequence: 'stop' })
const askCode = (reason: string): ReturnCode => ({ reason, consequence: 'ask' })

/** ISO 20022, external codes of return and reject that French banks give for direct debits. */
const RETURN_CODES: Record<string, ReturnCode> = {
  AM04: { reason: 'provision insuffisante', consequence: 'retry' },
  AC01: stopCode('numéro de compte incorrect'),
  AC04: stopCode('compte clôturé'),
  AC06: stopCode('compte bloqué'),
  MD01: stopCode('aucun mandat valable'),
  MD06: stopCode('opération contestée par le débiteur\u00a0: remboursée'),
  MD07: stopCode('titulaire du compte décédé'),
  MS02: stopCode('refus du débiteur'),
  MS03: askCode('motif non communiqué par la banque'),
  AC13: askCode('le compte n’est pas celui d’un particulier'),
  AG01: askCode('opération interdite sur ce type de compte'),
  AG02: askCode('code d’opération incorrect'),
  AM05: askCode('opération reçue deux fois'),
  BE05: askCode('identifiant créancier inconnu'),
  CNOR: askCode('banque du créancier injoignable'),
  DNOR: askCode('banque du débiteur injoignable'),
  FF01: askCode('format du fichier refusé'),
  FF05: askCode('code d’opération refusé'),
  MD02: askCode('données du mandat incomplètes'),
  RC01: askCode('BIC incorrect'),
  RR04: askCode('raison réglementaire'),
  SL01: askCode('service particulier de la banque du débiteur'),
}

export const getReturnConsequence = (code: string): ReturnConsequence => RETURN_CODES[code]?.consequence ?? 'ask'
export const getReturnReason = (code: string): string =>
  RETURN_CODES[code]?.reason ?? (code ? `motif ${code} de la banque` : 'motif non communiqué par la banque')

/** Why it came back and what follows, in one sentence. */
export function describeReturn(code: string, retryDays: number, retried: boolean): string {
  const why = `Rejeté${code && ` (${code})`}\u00a0: ${getReturnReason(code)}.`
  if (getReturnConsequence(code) === 'stop')
    return `${why} Le mandat est arrêté\u00a0: demandez-en un nouveau ou un autre paiement.`
  if (getReturnConsequence(code) === 'retry')
    return retried
      ? `${why} Déjà représenté une fois\u00a0: demandez un autre paiement.`
      : `${why} Il peut être présenté une seconde fois après ${retryDays} jours.`
  return `${why} Vérifiez avec le débiteur ou sa banque avant de prélever de nouveau.`
}
