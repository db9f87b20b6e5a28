import { frenchDay } from '../../../french.ts'
import { soon } from '../consents/consents.ts'

type Facts = { open: boolean | null; email: string; unsigned: boolean | null; agreedUntil: string | null }

/** What somebody should look at, of those who take part or are about to. */
export function reviewOf({ open, email, unsigned, agreedUntil }: Facts, day: string): string[] {
  if (!open) return []
  const review: string[] = []
  if (!email) review.push('Adresse e-mail manquante')
  if (unsigned) review.push('Accord de participation non signé')
  if (!agreedUntil || agreedUntil <= day) review.push('Consentement à la collecte des mesures manquant')
  else if (agreedUntil <= soon(day))
    review.push(`Consentement à la collecte à renouveler avant le ${frenchDay(agreedUntil)}`)
  return review
}
