import { foldText } from '../../../french.ts'

/** Words left out of a prefix. */
const IGNORED_WORDS = new Set([
  'de',
  'du',
  'des',
  'la',
  'le',
  'les',
  'et',
  'en',
  'au',
  'aux',
  'd',
  'l',
  'sci',
  'sas',
  'sarl',
  'sa',
])

/**
 * Two words of the name, three letters each, then a dash: « Copropriété Les Tilleuls » gives COPTIL-. A taken prefix
 * gets a number.
 */
export function proposeInvoicePrefix(name: string, taken: ReadonlySet<string>): string {
  const words = foldText(name)
    .split(/[^a-z0-9]+/)
    .filter((word) => word && !IGNORED_WORDS.has(word))
  const [first = '', second = ''] = words
  const stem = (second ? first.slice(0, 3) + second.slice(0, 3) : first.slice(0, 6)).toUpperCase() || 'VENDEUR'
  for (let count = 1; ; count++) {
    const prefix = `${stem}${count === 1 ? '' : count}-`
    if (!taken.has(prefix)) return prefix
  }
}
