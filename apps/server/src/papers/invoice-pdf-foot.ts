import type { InvoiceSnapshot } from '@voisol/contract/invoice-snapshot'
import { toPayfipReference } from '@voisol/contract/party-numbers'
import { drawParagraph } from '../pdf/blocks.ts'
import type { PdfWriter } from '../pdf/document.ts'
import { drawText } from '../pdf/frame.ts'
import { CONTENT_WIDTH, PAGE_LAYOUT } from '../pdf/look.ts'
import { parseBoldMarkup, TEXT_STYLES } from '../pdf/runs.ts'
import { formatEuros } from './decimals.ts'
import { formatAxisDay, formatIban, formatLongDay } from './words.ts'

/** Mentions are settings typed by people: a missing full stop is added, so that sentences do not run together. */
const endSentence = (text: string) => (/[.!?…]$/.test(text) ? text : `${text}.`)

/** How to pay, or that nothing is due. */
function formatPayment({ kind, seller, dueOn, number, totals, debit }: InvoiceSnapshot): string {
  if (kind === 'creditNote')
    return 'Cet avoir vient en déduction de vos factures\u00a0; ce qui reste vous est remboursé.'
  if (kind === 'statement') return 'Ce relevé vous informe de l’énergie partagée. **Il n’y a rien à payer.**'
  if (debit) {
    const whom = debit.creditor === seller.name ? seller.name : `${debit.creditor}, pour ${seller.name}`
    return `**${formatEuros(totals.gross)}** prélevés le **${formatLongDay(debit.collectionOn)}** sur votre compte finissant par ${debit.ibanEnd}, par ${whom}\u00a0: mandat **${debit.rum}**, ICS ${debit.ics}. **Vous n’avez rien à faire**\u00a0; un autre jour vous serait annoncé avant.`
  }
  const before = `**${formatEuros(totals.gross)}** à payer au plus tard le **${formatLongDay(dueOn)}**`
  const online = seller.payfip
    ? ` Ou en ligne sur **payfip.gouv.fr**\u00a0: identifiant **${seller.payfip}**, référence **${toPayfipReference(number)}**.`
    : ''
  if (!seller.iban)
    return `${before}, selon le mode de paiement convenu, en rappelant la référence **${number}**.${online}`
  const bank = `IBAN **${formatIban(seller.iban)}**${seller.bic ? `, BIC ${seller.bic}` : ''}`
  return `${before}, par virement à ${seller.name}\u00a0: ${bank}, en rappelant la référence **${number}**.${online}`
}

function formatSources({ sources }: InvoiceSnapshot): string {
  const keys = sources.keys.map(({ number, from }) => `clé de répartition n° ${number} du ${formatAxisDay(from)}`)
  const tariffs = sources.tariffs.map(({ number, from }) => `tarif n° ${number} du ${formatAxisDay(from)}`)
  const told = [...keys, ...tariffs].join(', ')
  return told ? `Établi d’après\u00a0: ${told}.` : ''
}

export function drawInvoiceFoot(sheet: PdfWriter, snapshot: InvoiceSnapshot) {
  drawParagraph(sheet, parseBoldMarkup(formatPayment(snapshot), TEXT_STYLES.body), { after: 6 })
  const told = [
    ...snapshot.mentions.map(({ text }) => endSentence(text)),
    formatSources(snapshot),
    snapshot.points.length
      ? `Points de livraison\u00a0: ${snapshot.points.map(({ prm, label }) => (label ? `${label} (PRM ${prm})` : `PRM ${prm}`)).join(', ')}.`
      : '',
  ].filter(Boolean)
  drawParagraph(sheet, told.join(' '), { look: TEXT_STYLES.small, after: 0 })
}

/** The footer of every page: the document, and the page number. */
export function drawPageFeet(sheet: PdfWriter, { seller, number }: InvoiceSnapshot) {
  const { doc } = sheet
  const pages = doc.bufferedPageRange().count
  const y = PAGE_LAYOUT.height - 38
  for (let page = 0; page < pages; page++) {
    doc.switchToPage(page)
    doc.markContent('Artifact', { type: 'Pagination' })
    const siren = seller.siren ? ` · SIREN ${seller.siren}` : ''
    drawText(doc, `${seller.name}${siren}`, TEXT_STYLES.small, PAGE_LAYOUT.left, y)
    const right = `${number} · page ${page + 1} / ${pages}`
    drawText(doc, right, { ...TEXT_STYLES.small, tabular: true }, PAGE_LAYOUT.left + CONTENT_WIDTH, y, 'end')
    doc.endMarkedContent()
  }
}
