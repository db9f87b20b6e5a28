/** What nothing measures yet, and what is not in service yet: each is said where it is named. The footer explains both. */
const MARK = / \[(objectif|à venir)\]/

export const withoutMarks = (text: string) => text.replace(new RegExp(MARK, 'g'), '')

const Mark = ({ children }: { children: string }) => (
  <span className="ml-0.5 inline-block rounded-full border border-line-strong px-1.5 align-[0.12em] text-[0.6875rem] font-medium leading-[1.125rem] tracking-normal text-ink-soft">
    {children}
  </span>
)

/** What ends a clause stays with the mark before it. */
const END = /^[\u00a0]?[.,:;]/

/** A text of a page, in which `[objectif]` and `[à venir]` are drawn as a small mark. */
export function Words({ text }: { text: string }) {
  // Splitting by an expression with a group keeps what the group held: every second part is a mark.
  const parts = text.split(MARK)
  return parts.map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never move
      <span key={index}>
        {' '}
        <span className="whitespace-nowrap">
          <Mark>{part}</Mark>
          {END.exec(parts[index + 1] ?? '')?.[0]}
        </span>
      </span>
    ) : (
      part.replace(index > 0 ? END : /^$/, '')
    ),
  )
}
