import type { SimulatorResponse } from '../answers.ts'
import { parseForm } from './form.ts'
import { CONFIRMATION_CARD, type PaymentSimulatorParts, payByCard, payByDebit } from './moves.ts'
import { buildClosedPage, buildConfirmPage, buildPayPage, buildUnknownPage } from './page.ts'
import type { CheckoutSession } from './schemas.ts'

/** The last digit of a card number is a check digit. */
function isValidCard(number: string): boolean {
  if (!/^\d{13,19}$/.test(number)) return false
  const sum = [...number].reverse().reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}
const isValidIban = (iban: string) => /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban)

const redirectToSuccess = ({ successUrl }: CheckoutSession): SimulatorResponse => ({
  status: 303,
  body: '',
  headers: { location: successUrl },
})

function answerCard(
  parts: PaymentSimulatorParts,
  session: CheckoutSession,
  form: Map<string, string>,
): SimulatorResponse {
  const card = (form.get('card') ?? '').replace(/\s/g, '')
  if (!isValidCard(card)) return buildPayPage(session, 'number')
  const confirm = form.get('confirm')
  if (card === CONFIRMATION_CARD && !confirm) return buildConfirmPage(session, card)
  if (confirm === 'no') return buildPayPage(session, 'unconfirmed')
  const refusal = payByCard(parts, session, card)
  return refusal ? buildPayPage(session, refusal) : redirectToSuccess(session)
}

/** The payment page, whose inputs the product never sees. */
export function answerPayPage(
  parts: PaymentSimulatorParts,
  method: string,
  id: string,
  body: string,
): SimulatorResponse {
  const session = parts.store.state.sessions.find((one) => one.id === id)
  if (!session) return buildUnknownPage()
  if (session.status !== 'open') return buildClosedPage(session)
  if (method !== 'POST') return buildPayPage(session)
  const form = parseForm(body)
  if (session.method === 'card') return answerCard(parts, session, form)
  const iban = (form.get('iban') ?? '').replace(/\s/g, '').toUpperCase()
  if (!isValidIban(iban)) return buildPayPage(session, 'iban')
  payByDebit(parts, session, iban)
  return redirectToSuccess(session)
}
