/** What is selected in a text, as offsets. */
export type TextSelection = { text: string; start: number; end: number }
/** Put `insert` in the place of [from, to), then select [select[0], select[1]). */
export type TextEdit = { from: number; to: number; insert: string; select: [number, number] }

/** Around the selection, or around words to type over; pressed again it takes the marks away. */
export const wrapSelection =
  (mark: string, placeholder: string) =>
  ({ text, start, end }: TextSelection): TextEdit => {
    const inside = text.slice(start, end)
    const marked = text.slice(start - mark.length, start) === mark && text.slice(end, end + mark.length) === mark
    if (inside && marked) {
      const from = start - mark.length
      return { from, to: end + mark.length, insert: inside, select: [from, from + inside.length] }
    }
    const shown = inside || placeholder
    const first = start + mark.length
    return { from: start, to: end, insert: `${mark}${shown}${mark}`, select: [first, first + shown.length] }
  }

/** The address is what is typed next. */
export const insertLink = ({ text, start, end }: TextSelection): TextEdit => {
  const label = text.slice(start, end) || 'texte du lien'
  const first = start + label.length + 3
  return { from: start, to: end, insert: `[${label}](/contact)`, select: [first, first + '/contact'.length] }
}

/** At the head of every selected line; lines that all have it lose it. */
export const prefixLines =
  (mark: string, placeholder: string) =>
  ({ text, start, end }: TextSelection): TextEdit => {
    const from = text.lastIndexOf('\n', start - 1) + 1
    const after = text.indexOf('\n', end)
    const to = after < 0 ? text.length : after
    const lines = (text.slice(from, to) || placeholder).split('\n')
    const all = lines.every((line) => line.startsWith(mark))
    const insert = lines.map((line) => (all ? line.slice(mark.length) : mark + line)).join('\n')
    const first = from + (all ? 0 : mark.length)
    return { from, to, insert, select: [lines.length > 1 ? from : first, from + insert.length] }
  }

/** A part of its own, blank lines around it; `words` is what is typed over. */
export const insertBlock =
  (part: string, placeholder: string) =>
  ({ text, start, end }: TextSelection): TextEdit => {
    const before = text.slice(0, start).replace(/\n+$/, '')
    const after = text.slice(end).replace(/^\n+/, '')
    const lead = before ? '\n\n' : ''
    const first = before.length + lead.length + Math.max(0, part.indexOf(placeholder))
    return {
      from: before.length,
      to: text.length - after.length,
      insert: `${lead}${part}\n${after ? '\n' : ''}`,
      select: [first, first + placeholder.length],
    }
  }

export const insertImageMarkup = (src: string) =>
  insertBlock(`![Ce que montre l’image](${src})`, 'Ce que montre l’image')

export const TABLE_TEMPLATE = `| Colonne | Valeur |
| --- | ---: |
| Première ligne | 10 |
| Seconde ligne | 20 |`
export const NOTE_TEMPLATE = `:::note À noter
Le texte de l’encadré.
:::`
export const FIGURES_TEMPLATE = `:::figures
- 12 | % | ce que mesure ce chiffre
- 3 | ans | ce que mesure celui-ci
:::`
export const STEPS_TEMPLATE = `:::steps
### Première étape
Ce qu’il faut faire.
### Deuxième étape
Ce qu’il faut faire ensuite.
:::`
export const CALL_TEMPLATE = `:::call /contact | Parler de votre projet
Vous avez un toit\u00a0?
Nous répondons sous deux jours ouvrés.
:::`

/** The text once edited; what a text field does by itself. */
export const applyEdit = (text: string, { from, to, insert }: TextEdit) => text.slice(0, from) + insert + text.slice(to)
