import { encode } from 'uqr'
import { formatLongDay } from './number-and-date-formats.ts'
import { drawHeading, drawOpening, drawParagraph } from './pdf/blocks.ts'
import { addGap, addPage, closePdf, drawTagged, openPdf, type PdfWriter } from './pdf/document.ts'
import { type Brand, drawText } from './pdf/frame.ts'
import { COLOURS } from './pdf/style.ts'
import { TEXT_STYLES, type TextStyle } from './pdf/text.ts'

export type AccessLetter = { name: string; address: string; code: string; url: string }
type AccessLettersInput = { letters: AccessLetter[]; madeOn: string; validUntil: string; place: string; brand: Brand }

const TITLE = 'Ouvrez votre espace'
const QR_CODE_SIZE = 132

/** Dark squares on white, with the quiet zone that readers need. */
function drawQrCode(sheet: PdfWriter, url: string, x: number) {
  const { size, data } = encode(url, { ecc: 'M', border: 4 })
  const step = QR_CODE_SIZE / size
  drawTagged(
    sheet,
    'Figure',
    () => {
      const { doc, y } = sheet
      for (const [row, cells] of data.entries())
        for (const [column, dark] of cells.entries())
          if (dark) doc.rect(x + column * step, y + row * step, step + 0.05, step + 0.05)
      doc.fill(COLOURS.ink)
    },
    { alt: `Code à photographier, qui ouvre ${url}` },
  )
}

/** The QR code on the left, the code in letters on the right. */
function drawCode(sheet: PdfWriter, { code: written, url }: AccessLetter, place: string) {
  const { y, left } = sheet
  drawQrCode(sheet, url, left)
  const x = left + QR_CODE_SIZE + 24
  const line = (text: string, look: TextStyle, at: number) =>
    drawTagged(sheet, 'P', () => drawText(sheet.doc, text, look, x, y + at))
  line('Photographiez ce code, ou ouvrez cette adresse\u00a0:', TEXT_STYLES.body, 34)
  line(place, { ...TEXT_STYLES.h2, colour: COLOURS.link }, 54)
  line('Votre code personnel', TEXT_STYLES.body, 84)
  line(written, TEXT_STYLES.figure, 108)
  sheet.y = y + QR_CODE_SIZE + 8
}

function drawLetterPage(
  sheet: PdfWriter,
  letter: AccessLetter,
  { madeOn, validUntil, place, brand }: AccessLettersInput,
) {
  drawOpening(sheet, TITLE, `${brand.name} vous invite à suivre votre énergie partagée.`, formatLongDay(madeOn), brand)
  drawParagraph(sheet, `À l’attention de ${letter.name}`, { look: TEXT_STYLES.h3, after: 2 })
  for (const line of letter.address.split('\n')) if (line) drawParagraph(sheet, line, { after: 0 })
  addGap(sheet, 16)
  drawParagraph(
    sheet,
    'Votre espace montre ce que vous consommez, ce qui vient du soleil de vos voisins et ce que cela vous fait économiser. Vos factures et les messages de votre organisateur s’y trouvent aussi.',
  )
  addGap(sheet, 8)
  drawCode(sheet, letter, place)
  drawHeading(sheet, 2, 'Comment faire')
  drawParagraph(sheet, '1. Ouvrez l’adresse ci-dessus, sur un téléphone ou un ordinateur.', { after: 2 })
  drawParagraph(sheet, '2. Vérifiez le code, puis donnez une adresse e-mail.', { after: 2 })
  drawParagraph(sheet, '3. Ouvrez le message que vous recevez, et choisissez votre mot de passe.')
  drawParagraph(
    sheet,
    `Ce code est à vous seul\u00a0: il ne sert qu’une fois, jusqu’au ${formatLongDay(validUntil)}. Ne le donnez à personne.`,
  )
  const reach = brand.contact ? ` Écrivez à ${brand.contact}.` : ''
  drawParagraph(sheet, `Une question, ou pas d’adresse e-mail\u00a0?${reach || ' Demandez à votre organisateur.'}`)
}

/** One page for each person, in the brand of the sender. */
export async function buildAccessLettersPdf(paper: AccessLettersInput): Promise<Uint8Array> {
  const { letters, madeOn, brand } = paper
  const createdAt = new Date(`${madeOn}T12:00:00Z`)
  const sheet = openPdf({ title: TITLE, subject: 'Accès au portail', author: brand.name, createdAt })
  for (const [at, letter] of letters.entries()) {
    if (at > 0) addPage(sheet)
    drawLetterPage(sheet, letter, paper)
  }
  return closePdf(sheet, { title: TITLE, brand, headless: () => true })
}
