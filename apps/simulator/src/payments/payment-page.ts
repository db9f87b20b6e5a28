import type { SimulatorResponse } from '../responses.ts'
import { type PaymentSimulatorParts, payByCard, payByDebit } from './payment-actions.ts'
import { type CheckoutSession, parseForm } from './payment-state.ts'

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

/** Needs confirmation by the payer's bank. */
const CONFIRMATION_CARD = '4000002500003155'

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

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escapeHtmlText = (value: string) => value.replace(/[&<>"']/g, (c) => ENTITIES[c] ?? c)
const euros = new Intl.NumberFormat('fr-FR', { style: 'currency', currency: 'EUR' })

const PAYMENT_REFUSAL_MESSAGES: Record<string, string> = {
  generic_decline: 'Votre carte a été refusée par sa banque. Essayez une autre carte.',
  insufficient_funds: 'Votre carte n’a pas assez de provision. Essayez une autre carte.',
  expired_card: 'Votre carte a expiré. Essayez une autre carte.',
  number: 'Ce numéro de carte n’est pas valable\u00a0: vérifiez ses chiffres.',
  iban: 'Cet IBAN n’est pas valable\u00a0: vérifiez ses caractères.',
  unconfirmed: 'Le paiement n’a pas été confirmé auprès de votre banque.',
}
const STYLE = `
  *{box-sizing:border-box}
  body{margin:0;background:#f8fafc;color:#0f172a;font:16px/1.5 system-ui,sans-serif}
  .tape{background:#fef3c7;color:#78350f;text-align:center;padding:8px 16px;font-size:.875rem}
  main{max-width:440px;margin:0 auto;padding:24px 16px 48px}
  h1{font-size:1rem;font-weight:500;color:#475569;margin:0}
  .sum{font-size:2.25rem;font-weight:600;letter-spacing:-.02em;margin:0 0 16px;font-variant-numeric:tabular-nums}
  form,section{background:#fff;border:1px solid #e2e8f0;border-radius:12px;padding:20px}
  label{display:block;font-weight:500;margin:0 0 16px}
  input{display:block;width:100%;font:inherit;padding:10px 12px;margin-top:4px;border:1px solid #94a3b8;border-radius:8px;min-height:48px}
  input:focus-visible,button:focus-visible,a:focus-visible{outline:3px solid #0062cc;outline-offset:2px}
  .two{display:grid;grid-template-columns:1fr 1fr;gap:12px}
  button{width:100%;min-height:48px;border:0;border-radius:8px;background:#0062cc;color:#fff;font:600 1rem system-ui,sans-serif;cursor:pointer}
  .plain{background:#fff;color:#0f172a;border:1px solid #94a3b8;margin-top:8px}
  .bad{background:#fef2f2;border:1px solid #fecaca;color:#991b1b;border-radius:8px;padding:10px 12px;margin:0 0 16px}
  .small{font-size:.875rem;color:#475569}
  a{color:#0062cc}`

const buildPage = (title: string, body: string, status = 200): SimulatorResponse => ({
  status,
  html: true,
  headers: { 'cache-control': 'no-store', 'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'" },
  body: `<!doctype html><html lang="fr"><head><meta charset="utf-8"><title>${escapeHtmlText(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<style>${STYLE}</style></head><body><div class="tape">Bac à sable\u00a0: aucun argent ne circule</div><main>${body}</main></body></html>`,
})

const CARD_FIELDS = `
  <label>Numéro de la carte<input name="card" inputmode="numeric" autocomplete="off" required placeholder="4242 4242 4242 4242"></label>
  <div class="two"><label>Expiration<input name="expiry" autocomplete="off" placeholder="12/30" required></label>
  <label>Cryptogramme<input name="cvc" inputmode="numeric" autocomplete="off" placeholder="123" required></label></div>`
const DEBIT_FIELDS = `
  <label>IBAN<input name="iban" autocomplete="off" required placeholder="FR14 2004 1010 0505 0001 3M02 606"></label>
  <p class="small">En validant, vous signez un mandat\u00a0: vous autorisez le prestataire à débiter une fois ce compte, pour le
  montant ci-dessus, et votre banque à le payer. Vous pouvez vous faire rembourser pendant huit semaines.</p>`

const buildHead = ({ label, amount }: CheckoutSession) =>
  `<h1>${escapeHtmlText(label)}</h1><p class="sum">${escapeHtmlText(euros.format(amount / 100))}</p>`

const buildPayPage = (session: CheckoutSession, refusal?: string): SimulatorResponse =>
  buildPage(
    'Paiement',
    `${buildHead(session)}<form method="post" novalidate>
    ${refusal ? `<p class="bad" role="alert">${escapeHtmlText(PAYMENT_REFUSAL_MESSAGES[refusal] ?? 'Paiement refusé.')}</p>` : ''}
    ${session.method === 'card' ? CARD_FIELDS : DEBIT_FIELDS}
    <button>${session.method === 'card' ? 'Payer' : 'Signer le mandat et payer'}</button></form>
    <p class="small"><a href="${escapeHtmlText(session.cancelUrl)}">Revenir sans payer</a></p>`,
  )

const buildConfirmPage = (session: CheckoutSession, card: string): SimulatorResponse =>
  buildPage(
    'Confirmation de votre banque',
    `${buildHead(session)}<form method="post"><p>Votre banque vous demande de confirmer ce paiement.</p>
    <input type="hidden" name="card" value="${escapeHtmlText(card)}">
    <button name="confirm" value="yes">Confirmer</button>
    <button class="plain" name="confirm" value="no">Refuser</button></form>`,
  )

const buildClosedPage = ({ cancelUrl }: CheckoutSession): SimulatorResponse =>
  buildPage(
    'Paiement terminé',
    `<section><p>Cette page de paiement n’est plus ouverte\u00a0: elle a servi, ou son heure est passée.</p>
    <p><a href="${escapeHtmlText(cancelUrl)}">Revenir</a></p></section>`,
    410,
  )

const buildUnknownPage = (): SimulatorResponse =>
  buildPage('Page inconnue', '<section><p>Cette page de paiement n’existe pas.</p></section>', 404)
