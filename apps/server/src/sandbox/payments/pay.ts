import type { Answer } from '../answers.ts'
import { formOf } from './form.ts'
import { CONFIRMED, type Parts, payByCard, payByDebit } from './moves.ts'
import { confirmPage, overPage, payPage, unknownPage } from './page.ts'
import type { Session } from './schemas.ts'

/** The last digit of a card's number answers for the others. */
function soundCard(number: string): boolean {
  if (!/^\d{13,19}$/.test(number)) return false
  const sum = [...number].reverse().reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}
const soundIban = (iban: string) => /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban)

const back = ({ successUrl }: Session): Answer => ({ status: 303, body: '', headers: { location: successUrl } })

function byCard(parts: Parts, session: Session, form: Map<string, string>): Answer {
  const card = (form.get('card') ?? '').replace(/\s/g, '')
  if (!soundCard(card)) return payPage(session, 'number')
  const confirm = form.get('confirm')
  if (card === CONFIRMED && !confirm) return confirmPage(session, card)
  if (confirm === 'no') return payPage(session, 'unconfirmed')
  const refusal = payByCard(parts, session, card)
  return refusal ? payPage(session, refusal) : back(session)
}

/** The page on which a payer writes what the product never sees. */
export function answerPage(parts: Parts, method: string, id: string, body: string): Answer {
  const session = parts.store.state.sessions.find((one) => one.id === id)
  if (!session) return unknownPage()
  if (session.status !== 'open') return overPage(session)
  if (method !== 'POST') return payPage(session)
  const form = formOf(body)
  if (session.method === 'card') return byCard(parts, session, form)
  const iban = (form.get('iban') ?? '').replace(/\s/g, '').toUpperCase()
  if (!soundIban(iban)) return payPage(session, 'iban')
  payByDebit(parts, session, iban)
  return back(session)
}
