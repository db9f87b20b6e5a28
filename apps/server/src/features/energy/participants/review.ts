import { formatFrenchDay } from '../../../french.ts'
import { getExpiringSoonLimit } from '../consents/consents.ts'

type ReviewFacts = { open: boolean | null; email: string; unsigned: boolean | null; agreedUntil: string | null }

/** What needs attention about current and future participants. */
export function listReviewReasons({ open, email, unsigned, agreedUntil }: ReviewFacts, day: string): string[] {
  if (!open) return []
  const review: string[] = []
  if (!email) review.push('Adresse e-mail manquante')
  if (unsigned) review.push('Accord de participation non signé')
  if (!agreedUntil || agreedUntil <= day) review.push('Consentement à la collecte des mesures manquant')
  else if (agreedUntil <= getExpiringSoonLimit(day))
    review.push(`Consentement à la collecte à renouveler avant le ${formatFrenchDay(agreedUntil)}`)
  return review
}
