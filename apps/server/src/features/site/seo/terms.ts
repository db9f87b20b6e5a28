const STOP_WORDS = new Set(
  `a afin ai ainsi alors apres as au aucun aucune aussi autre autres aux avant avec avez avoir avons c ca car ce ceci cela
  celle celles celui ces cet cette ceux chacun chacune chaque chez ci comme comment contre d dans de deja depuis des deux
  dire dit doit doivent donc dont du elle elles en encore enfin entre es est et etaient etait etant ete etes etre eu eux
  fait faire faut fois font grace hors ici il ils j jamais je jour jours jusqu juste l la le les leur leurs lors lorsqu lorsque lui ma
  mais me meme memes mes mieux moins mois mon n ne ni non nos notre nous on ont ou par parce parmi pas pendant peu peut
  peuvent plus plusieurs plutot point pour pourquoi puis puisqu qu quand quatre que quel quelle quelles quels qui quoi rien s sa
  sans sauf se selon sera sert ses seul seule si sinon soit son sont sous soyez sur t tant te tel telle tels tes toi ton
  toujours tous tout toute toutes tres trois trop tu un une va vers via voici voir vont vos votre vous y exemple cas`.split(
    /\s+/,
  ),
)

const normalizeForSearch = (word: string) => word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
const isMeaningful = (word: string) =>
  word.length > 2 && !STOP_WORDS.has(normalizeForSearch(word)) && !/^\d+$/.test(word)

const PAIR_WEIGHT = 2.5
type Term = { text: string; weight: number; at: number }

/** Words and pairs of words said more than once; a pair says more than the word in it. */
function weighTerms(text: string): Term[] {
  const found = new Map<string, Term>()
  const add = (term: string, weight: number, at: number) => {
    const known = found.get(normalizeForSearch(term))
    if (known) known.weight += weight
    else found.set(normalizeForSearch(term), { text: term.toLowerCase(), weight, at })
  }
  const words = text.match(/\p{L}+(?:-\p{L}+)*|\d+|[.,;:!?]/gu) ?? []
  words.forEach((word, at) => {
    if (!isMeaningful(word)) return
    add(word, 1, at)
    const next = words[at + 1]
    if (next && isMeaningful(next)) add(`${word} ${next}`, PAIR_WEIGHT, at)
  })
  // A pair said once is two words that happened to meet.
  return [...found.values()].filter(({ text: term, weight }) => !term.includes(' ') || weight > PAIR_WEIGHT)
}

/** What a text speaks of, most said first; the same text always gives the same terms. */
export function extractTerms(text: string, limit: number): string[] {
  const terms = weighTerms(text).sort((a, b) => b.weight - a.weight || a.at - b.at)
  const chosen: string[] = []
  for (const { text: term } of terms) {
    const folded = normalizeForSearch(term)
    // A word inside a chosen pair, or its plural, would say the same thing again.
    if (
      chosen.some(
        (other) =>
          normalizeForSearch(other).includes(folded.replace(/s$/, '')) ||
          folded.includes(normalizeForSearch(other).replace(/s$/, '')),
      )
    )
      continue
    chosen.push(term)
    if (chosen.length === limit) break
  }
  return chosen
}
