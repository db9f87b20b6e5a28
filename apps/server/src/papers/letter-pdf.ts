import { encode } from 'uqr'
import { heading, opening, paragraph } from '../pdf/blocks.ts'
import { closeSheet, nextPage, openSheet, type Sheet, space, tagged } from '../pdf/document.ts'
import { type Brand, drawWord } from '../pdf/frame.ts'
import { COLOURS } from '../pdf/look.ts'
import { LOOKS, type Look } from '../pdf/runs.ts'
import { longDay } from './words.ts'

export type Letter = { name: string; address: string; code: string; url: string }
type Paper = { letters: Letter[]; madeOn: string; validUntil: string; place: string; brand: Brand }

const TITLE = 'Ouvrez votre espace'
const SIDE = 132

/** Dark squares on white, with the quiet zone that readers ask for. */
function qr(sheet: Sheet, url: string, x: number) {
  const { size, data } = encode(url, { ecc: 'M', border: 4 })
  const step = SIDE / size
  tagged(
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

/** The picture at the left, the same in letters at its right. */
function code(sheet: Sheet, { code: written, url }: Letter, place: string) {
  const { y, left } = sheet
  qr(sheet, url, left)
  const x = left + SIDE + 24
  const line = (text: string, look: Look, at: number) =>
    tagged(sheet, 'P', () => drawWord(sheet.doc, text, look, x, y + at))
  line('Photographiez ce code, ou ouvrez cette adresse\u00a0:', LOOKS.body, 34)
  line(place, { ...LOOKS.h2, colour: COLOURS.link }, 54)
  line('Votre code personnel', LOOKS.body, 84)
  line(written, LOOKS.figure, 108)
  sheet.y = y + SIDE + 8
}

function page(sheet: Sheet, letter: Letter, { madeOn, validUntil, place, brand }: Paper) {
  opening(sheet, TITLE, `${brand.name} vous invite à suivre votre énergie partagée.`, longDay(madeOn), brand)
  paragraph(sheet, `À l’attention de ${letter.name}`, { look: LOOKS.h3, after: 2 })
  for (const line of letter.address.split('\n')) if (line) paragraph(sheet, line, { after: 0 })
  space(sheet, 16)
  paragraph(
    sheet,
    'Votre espace montre ce que vous consommez, ce qui vient du soleil de vos voisins et ce que cela vous fait économiser. Vos factures et les messages de votre organisateur s’y trouvent aussi.',
  )
  space(sheet, 8)
  code(sheet, letter, place)
  heading(sheet, 2, 'Comment faire')
  paragraph(sheet, '1. Ouvrez l’adresse ci-dessus, sur un téléphone ou un ordinateur.', { after: 2 })
  paragraph(sheet, '2. Vérifiez le code, puis donnez une adresse e-mail.', { after: 2 })
  paragraph(sheet, '3. Ouvrez le message que vous recevez, et choisissez votre mot de passe.')
  paragraph(
    sheet,
    `Ce code est à vous seul\u00a0: il ne sert qu’une fois, jusqu’au ${longDay(validUntil)}. Ne le donnez à personne.`,
  )
  const reach = brand.contact ? ` Écrivez à ${brand.contact}.` : ''
  paragraph(sheet, `Une question, ou pas d’adresse e-mail\u00a0?${reach || ' Demandez à votre organisateur.'}`)
}

/** One page for each person, in the look of whoever writes. */
export async function letterPdf(paper: Paper): Promise<Uint8Array> {
  const { letters, madeOn, brand } = paper
  const createdAt = new Date(`${madeOn}T12:00:00Z`)
  const sheet = openSheet({ title: TITLE, subject: 'Accès au portail', author: brand.name, createdAt })
  for (const [at, letter] of letters.entries()) {
    if (at > 0) nextPage(sheet)
    page(sheet, letter, paper)
  }
  return closeSheet(sheet, { title: TITLE, brand, headless: () => true })
}
