import { INK_CONTRAST, inkTone, seenTone } from '@voisol/contract/colour'
import type { InvoiceSnapshot } from '@voisol/contract/invoice-snapshot'
import { KIND_WORDS } from '@voisol/contract/money'
import { drawLines, heightOf } from '../pdf/blocks.ts'
import { ornament, type Sheet, tagged } from '../pdf/document.ts'
import { COLOURS } from '../pdf/look.ts'
import { LOOKS, type Look, runsOf, type Words } from '../pdf/runs.ts'
import { linesOf, measure } from '../pdf/text.ts'
import { longDay, spanWords } from './words.ts'

type Piece = { words: Words; look: Look; after?: number }
type Place = { x: number; y: number; width: number }

/** Lines one under the other inside a column; gives where it ends. */
export function column(sheet: Sheet, pieces: Piece[], { x, y, width }: Place): number {
  let at = y
  for (const { words, look, after = 0 } of pieces) {
    const lines = linesOf(sheet.doc, runsOf(words, look), width)
    const top = at
    tagged(sheet, 'P', () => drawLines(sheet.doc, lines, look, { x, y: top, width }))
    at += heightOf(lines, look) + after
  }
  return at
}

const LEFT = 0.52
const present = (lines: string[]) => lines.filter((line) => line.trim() !== '')

export function addressOf({
  address,
  postalCode,
  city,
  country,
}: InvoiceSnapshot['seller'] | InvoiceSnapshot['buyer']) {
  return present([...address.split('\n'), `${postalCode} ${city}`.trim(), country === 'FR' ? '' : country])
}

const spaced = (digits: string) => digits.replace(/(\d{3})(?=\d)/g, '$1\u00a0')

function sellerLines({ seller }: InvoiceSnapshot): string[] {
  return present([
    seller.legalForm,
    ...addressOf(seller),
    seller.siren && `SIREN ${spaced(seller.siren)}`,
    seller.vatMode === 'standard' && seller.vatNumber ? `TVA ${seller.vatNumber}` : '',
    [seller.email, seller.phone].filter(Boolean).join(' · '),
  ])
}

function buyerLines({ buyer }: InvoiceSnapshot): string[] {
  return present([
    ...addressOf(buyer),
    buyer.siret ? `SIRET ${buyer.siret}` : buyer.siren && `SIREN ${spaced(buyer.siren)}`,
    buyer.serviceCode && `Service ${buyer.serviceCode}`,
    buyer.engagement && `Engagement ${buyer.engagement}`,
  ])
}

/** As large as its column lets it be on one line. */
function numberLook({ doc }: Sheet, number: string, width: number): Look {
  const { size } = LOOKS.title
  return {
    ...LOOKS.title,
    size: Math.min(size, Math.floor((10 * size * width) / measure(doc, LOOKS.title, number)) / 10),
  }
}

function titleLines(sheet: Sheet, snapshot: InvoiceSnapshot, width: number): Piece[] {
  const { kind, number, issuedOn, dueOn, typeCode, corrects, debit, look } = snapshot
  const colour = look ? inkTone(look.colour, INK_CONTRAST) : COLOURS.warmInk
  const due = debit ? `Prélevée le ${longDay(debit.collectionOn)}` : `À payer au plus tard le ${longDay(dueOn)}`
  const issued = kind === 'creditNote' || kind === 'statement' ? 'Émis' : 'Émise'
  return [
    { words: KIND_WORDS[kind], look: { ...LOOKS.label, face: '600', colour, size: 9 }, after: 1 },
    { words: number, look: numberLook(sheet, number, width), after: 3 },
    { words: `${issued} le ${longDay(issuedOn)}`, look: LOOKS.quiet },
    ...(typeCode === 380 ? [{ words: due, look: LOOKS.quiet }] : []),
    ...(corrects
      ? [
          {
            words: `Corrige ${corrects.number} du ${longDay(corrects.issuedOn)}\u00a0: ${corrects.reason}`,
            look: LOOKS.quiet,
          },
        ]
      : []),
  ]
}

/** Who sells on the left, who buys on the right, in the window of an envelope; then what this is. */
export function drawHead(sheet: Sheet, snapshot: InvoiceSnapshot) {
  const { seller, buyer, operation, look } = snapshot
  const left = { x: sheet.left, width: sheet.width * LEFT - 20 }
  const right = { x: sheet.left + sheet.width * LEFT, width: sheet.width * (1 - LEFT) }
  ornament(sheet, (doc) => doc.rect(0, 0, doc.page.width, 5).fill(look ? seenTone(look.colour) : COLOURS.sun))
  const sold = column(
    sheet,
    [
      { words: seller.name, look: { ...LOOKS.h2, size: 15 }, after: 3 },
      { words: sellerLines(snapshot).join('\n'), look: LOOKS.label },
    ],
    { ...left, y: 40 },
  )
  const bought = column(
    sheet,
    [
      { words: 'Adressé à', look: LOOKS.small, after: 1 },
      { words: [buyer.name, ...buyer.jointHolders].join('\n'), look: LOOKS.h3 },
      { words: buyerLines(snapshot).join('\n'), look: LOOKS.body },
    ],
    { ...right, y: 108 },
  )
  sheet.y = Math.max(sold, bought, 170) + 14
  const titled = column(sheet, titleLines(sheet, snapshot, left.width), { ...left, y: sheet.y })
  const told = column(
    sheet,
    [
      { words: operation.id ? 'Opération d’autoconsommation collective' : 'Objet', look: LOOKS.small },
      { words: [operation.name, operation.accNumber].filter(Boolean).join(' · '), look: LOOKS.body },
      ...(operation.id ? [{ words: `Organisateur\u00a0: ${operation.pmoName || '–'}`, look: LOOKS.quiet }] : []),
      { words: `Période\u00a0: ${spanWords(snapshot)}`, look: LOOKS.quiet },
    ],
    { ...right, y: sheet.y },
  )
  sheet.y = Math.max(titled, told) + 14
}
