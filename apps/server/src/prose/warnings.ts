import type { Block } from '@voisol/contract/prose'
import type { Prose } from './parse.ts'
import { everyBlock, hrefsOf, picturesOf } from './walk.ts'

/** Whether an address of this site, anchor included, leads somewhere; pictures are asked for as well. */
export type IsKnown = (address: string) => boolean

const quoted = (text: string) => `«\u00a0${text}\u00a0»`

function pictureWarnings(blocks: Block[], isKnown: IsKnown): string[] {
  return picturesOf(blocks).flatMap(({ src, alt }) => [
    ...(alt
      ? []
      : [
          `L’image ${quoted(src)} n’a pas de texte de remplacement\u00a0: écrivez ce qu’elle montre entre les crochets.`,
        ]),
    ...(isKnown(src) ? [] : [`L’image ${quoted(src)} n’existe plus parmi les images du site.`]),
  ])
}

function linkWarnings(blocks: Block[], isKnown: IsKnown): string[] {
  const anchors = new Set(everyBlock(blocks).flatMap((block) => (block.kind === 'heading' ? [`#${block.id}`] : [])))
  const leads = (href: string) => (href.startsWith('#') ? anchors.has(href) : !href.startsWith('/') || isKnown(href))
  return hrefsOf(blocks)
    .filter((href) => !leads(href))
    .map((href) => `Le lien vers ${quoted(href)} ne mène à aucune page du site.`)
}

/** The title of the page is the first level. */
function headingWarnings(levels: number[]): string[] {
  const skipped = levels.some((level, i) => level - (levels[i - 1] ?? 1) > 1)
  const tooDeep = levels.some((level) => level > 4)
  return [
    ...(skipped ? ['Un niveau de titre est sauté\u00a0: après ##, employez ###, puis ####.'] : []),
    ...(tooDeep ? ['Trois niveaux de titre suffisent\u00a0: les suivants sont montrés comme le troisième.'] : []),
  ]
}

/** What an editor should mend before publishing. */
export function warningsOf({ blocks, faults, levels }: Prose, isKnown: IsKnown): string[] {
  const all = [
    ...(blocks.length ? [] : ['Le texte est vide.']),
    ...faults,
    ...headingWarnings(levels),
    ...pictureWarnings(blocks, isKnown),
    ...linkWarnings(blocks, isKnown),
  ]
  return [...new Set(all)]
}
