/** What follows a debit that a bank gives back: once more later, the end of the mandate, or a person. */
export type Consequence = 'retry' | 'stop' | 'ask'
type Code = { reason: string; consequence: Consequence }
const stop = (reason: string): Code => ({ reason, consequence: 'stop' })
const ask = (reason: string): Code => ({ reason, consequence: 'ask' })

/** ISO 20022, external codes of return and reject that French banks give for direct debits. */
export const RETURN_CODES: Record<string, Code> = {
  AM04: { reason: 'provision insuffisante', consequence: 'retry' },
  AC01: stop('numéro de compte incorrect'),
  AC04: stop('compte clôturé'),
  AC06: stop('compte bloqué'),
  MD01: stop('aucun mandat valable'),
  MD06: stop('opération contestée par le débiteur\u00a0: remboursée'),
  MD07: stop('titulaire du compte décédé'),
  MS02: stop('refus du débiteur'),
  MS03: ask('motif non communiqué par la banque'),
  AC13: ask('le compte n’est pas celui d’un particulier'),
  AG01: ask('opération interdite sur ce type de compte'),
  AG02: ask('code d’opération incorrect'),
  AM05: ask('opération reçue deux fois'),
  BE05: ask('identifiant créancier inconnu'),
  CNOR: ask('banque du créancier injoignable'),
  DNOR: ask('banque du débiteur injoignable'),
  FF01: ask('format du fichier refusé'),
  FF05: ask('code d’opération refusé'),
  MD02: ask('données du mandat incomplètes'),
  RC01: ask('BIC incorrect'),
  RR04: ask('raison réglementaire'),
  SL01: ask('service particulier de la banque du débiteur'),
}

export const consequenceOf = (code: string): Consequence => RETURN_CODES[code]?.consequence ?? 'ask'
export const reasonOf = (code: string): string =>
  RETURN_CODES[code]?.reason ?? (code ? `motif ${code} de la banque` : 'motif non communiqué par la banque')

/** Why it came back and what follows, in one sentence. */
export function returnSentence(code: string, retryDays: number, retried: boolean): string {
  const why = `Rejeté${code && ` (${code})`}\u00a0: ${reasonOf(code)}.`
  if (consequenceOf(code) === 'stop')
    return `${why} Le mandat est arrêté\u00a0: demandez-en un nouveau ou un autre paiement.`
  if (consequenceOf(code) === 'retry')
    return retried
      ? `${why} Déjà représenté une fois\u00a0: demandez un autre paiement.`
      : `${why} Il peut être présenté une seconde fois après ${retryDays} jours.`
  return `${why} Vérifiez avec le débiteur ou sa banque avant de prélever de nouveau.`
}
