import type { Block } from '@voisol/contract/prose'
import type { ParsedProse } from './parse.ts'
import { flattenBlocks, listHrefs, listProseImages } from './walk.ts'

/** Whether an address of this site exists, anchor included; images are checked too. */
export type IsKnownAddress = (address: string) => boolean

const quoteAddress = (text: string) => `«\u00a0${text}\u00a0»`

function listImageWarnings(blocks: Block[], isKnown: IsKnownAddress): string[] {
  return listProseImages(blocks).flatMap(({ src, alt }) => [
    ...(alt
      ? []
      : [
          `L’image ${quoteAddress(src)} n’a pas de texte de remplacement\u00a0: écrivez ce qu’elle montre entre les crochets.`,
        ]),
    ...(isKnown(src) ? [] : [`L’image ${quoteAddress(src)} n’existe plus parmi les images du site.`]),
  ])
}

function listLinkWarnings(blocks: Block[], isKnown: IsKnownAddress): string[] {
  const anchors = new Set(flattenBlocks(blocks).flatMap((block) => (block.kind === 'heading' ? [`#${block.id}`] : [])))
  const leads = (href: string) => (href.startsWith('#') ? anchors.has(href) : !href.startsWith('/') || isKnown(href))
  return listHrefs(blocks)
    .filter((href) => !leads(href))
    .map((href) => `Le lien vers ${quoteAddress(href)} ne mène à aucune page du site.`)
}

/** The title of the page is the first level. */
function listHeadingWarnings(levels: number[]): string[] {
  const skipped = levels.some((level, i) => level - (levels[i - 1] ?? 1) > 1)
  const tooDeep = levels.some((level) => level > 4)
  return [
    ...(skipped ? ['Un niveau de titre est sauté\u00a0: après ##, employez ###, puis ####.'] : []),
    ...(tooDeep ? ['Trois niveaux de titre suffisent\u00a0: les suivants sont montrés comme le troisième.'] : []),
  ]
}

/** What an editor should fix before publishing. */
export function listProseWarnings({ blocks, faults, levels }: ParsedProse, isKnown: IsKnownAddress): string[] {
  const all = [
    ...(blocks.length ? [] : ['Le texte est vide.']),
    ...faults,
    ...listHeadingWarnings(levels),
    ...listImageWarnings(blocks, isKnown),
    ...listLinkWarnings(blocks, isKnown),
  ]
  return [...new Set(all)]
}
