import type { InvoiceSnapshot } from '@voisol/contract/invoice-snapshot'
import { payfipReference } from '@voisol/contract/party-numbers'
import { paragraph } from '../pdf/blocks.ts'
import type { Sheet } from '../pdf/document.ts'
import { drawWord } from '../pdf/frame.ts'
import { CONTENT_WIDTH, PAPER } from '../pdf/look.ts'
import { LOOKS, marked } from '../pdf/runs.ts'
import { euros } from './decimals.ts'
import { grouped, longDay, shortDay } from './words.ts'

/** Mentions are settings that somebody types: with or without their full stop, none runs into the next. */
const ended = (text: string) => (/[.!?…]$/.test(text) ? text : `${text}.`)

/** How to pay, or that nothing is asked for. */
function paymentWords({ kind, seller, dueOn, number, totals, debit }: InvoiceSnapshot): string {
  if (kind === 'creditNote')
    return 'Cet avoir vient en déduction de vos factures\u00a0; ce qui reste vous est remboursé.'
  if (kind === 'statement') return 'Ce relevé vous informe de l’énergie partagée. **Il n’y a rien à payer.**'
  if (debit) {
    const whom = debit.creditor === seller.name ? seller.name : `${debit.creditor}, pour ${seller.name}`
    return `**${euros(totals.gross)}** prélevés le **${longDay(debit.collectionOn)}** sur votre compte finissant par ${debit.ibanEnd}, par ${whom}\u00a0: mandat **${debit.rum}**, ICS ${debit.ics}. **Vous n’avez rien à faire**\u00a0; un autre jour vous serait annoncé avant.`
  }
  const before = `**${euros(totals.gross)}** à payer au plus tard le **${longDay(dueOn)}**`
  const online = seller.payfip
    ? ` Ou en ligne sur **payfip.gouv.fr**\u00a0: identifiant **${seller.payfip}**, référence **${payfipReference(number)}**.`
    : ''
  if (!seller.iban)
    return `${before}, selon le mode de paiement convenu, en rappelant la référence **${number}**.${online}`
  const bank = `IBAN **${grouped(seller.iban)}**${seller.bic ? `, BIC ${seller.bic}` : ''}`
  return `${before}, par virement à ${seller.name}\u00a0: ${bank}, en rappelant la référence **${number}**.${online}`
}

function sourceWords({ sources }: InvoiceSnapshot): string {
  const keys = sources.keys.map(({ number, from }) => `clé de répartition n° ${number} du ${shortDay(from)}`)
  const tariffs = sources.tariffs.map(({ number, from }) => `tarif n° ${number} du ${shortDay(from)}`)
  const told = [...keys, ...tariffs].join(', ')
  return told ? `Établi d’après\u00a0: ${told}.` : ''
}

export function drawFoot(sheet: Sheet, snapshot: InvoiceSnapshot) {
  paragraph(sheet, marked(paymentWords(snapshot), LOOKS.body), { after: 6 })
  const told = [
    ...snapshot.mentions.map(({ text }) => ended(text)),
    sourceWords(snapshot),
    snapshot.points.length
      ? `Points de livraison\u00a0: ${snapshot.points.map(({ prm, label }) => (label ? `${label} (PRM ${prm})` : `PRM ${prm}`)).join(', ')}.`
      : '',
  ].filter(Boolean)
  paragraph(sheet, told.join(' '), { look: LOOKS.small, after: 0 })
}

/** At the foot of every page: whose document it is, and which page. */
export function drawPageFeet(sheet: Sheet, { seller, number }: InvoiceSnapshot) {
  const { doc } = sheet
  const pages = doc.bufferedPageRange().count
  const y = PAPER.height - 38
  for (let page = 0; page < pages; page++) {
    doc.switchToPage(page)
    doc.markContent('Artifact', { type: 'Pagination' })
    const siren = seller.siren ? ` · SIREN ${seller.siren}` : ''
    drawWord(doc, `${seller.name}${siren}`, LOOKS.small, PAPER.left, y)
    const right = `${number} · page ${page + 1} / ${pages}`
    drawWord(doc, right, { ...LOOKS.small, tabular: true }, PAPER.left + CONTENT_WIDTH, y, 'end')
    doc.endMarkedContent()
  }
}
