/** What is selected in a text, as offsets. */
export type Selected = { text: string; start: number; end: number }
/** Put `insert` in the place of [from, to), then select [select[0], select[1]). */
export type Edit = { from: number; to: number; insert: string; select: [number, number] }

/** Around the selection, or around words to type over; pressed again it takes the marks away. */
export const wrap =
  (mark: string, words: string) =>
  ({ text, start, end }: Selected): Edit => {
    const inside = text.slice(start, end)
    const marked = text.slice(start - mark.length, start) === mark && text.slice(end, end + mark.length) === mark
    if (inside && marked) {
      const from = start - mark.length
      return { from, to: end + mark.length, insert: inside, select: [from, from + inside.length] }
    }
    const shown = inside || words
    const first = start + mark.length
    return { from: start, to: end, insert: `${mark}${shown}${mark}`, select: [first, first + shown.length] }
  }

/** The address is what is typed next. */
export const link = ({ text, start, end }: Selected): Edit => {
  const words = text.slice(start, end) || 'texte du lien'
  const first = start + words.length + 3
  return { from: start, to: end, insert: `[${words}](/contact)`, select: [first, first + '/contact'.length] }
}

/** At the head of every selected line; lines that all have it lose it. */
export const prefix =
  (mark: string, words: string) =>
  ({ text, start, end }: Selected): Edit => {
    const from = text.lastIndexOf('\n', start - 1) + 1
    const after = text.indexOf('\n', end)
    const to = after < 0 ? text.length : after
    const lines = (text.slice(from, to) || words).split('\n')
    const all = lines.every((line) => line.startsWith(mark))
    const insert = lines.map((line) => (all ? line.slice(mark.length) : mark + line)).join('\n')
    const first = from + (all ? 0 : mark.length)
    return { from, to, insert, select: [lines.length > 1 ? from : first, from + insert.length] }
  }

/** A part of its own, blank lines around it; `words` is what is typed over. */
export const block =
  (part: string, words: string) =>
  ({ text, start, end }: Selected): Edit => {
    const before = text.slice(0, start).replace(/\n+$/, '')
    const after = text.slice(end).replace(/^\n+/, '')
    const lead = before ? '\n\n' : ''
    const first = before.length + lead.length + Math.max(0, part.indexOf(words))
    return {
      from: before.length,
      to: text.length - after.length,
      insert: `${lead}${part}\n${after ? '\n' : ''}`,
      select: [first, first + words.length],
    }
  }

export const image = (src: string) => block(`![Ce que montre l’image](${src})`, 'Ce que montre l’image')

export const TABLE = `| Colonne | Valeur |
| --- | ---: |
| Première ligne | 10 |
| Seconde ligne | 20 |`
export const NOTE = `:::note À noter
Le texte de l’encadré.
:::`
export const FIGURES = `:::figures
- 12 | % | ce que mesure ce chiffre
- 3 | ans | ce que mesure celui-ci
:::`
export const STEPS = `:::steps
### Première étape
Ce qu’il faut faire.
### Deuxième étape
Ce qu’il faut faire ensuite.
:::`
export const CALL = `:::call /contact | Parler de votre projet
Vous avez un toit\u00a0?
Nous répondons sous deux jours ouvrés.
:::`

/** The text once edited; what a text field does by itself. */
export const apply = (text: string, { from, to, insert }: Edit) => text.slice(0, from) + insert + text.slice(to)
