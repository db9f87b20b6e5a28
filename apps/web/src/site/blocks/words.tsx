/** What nothing measures yet, and what is not in service yet: each is said where it is named. The footer explains both. */
const MARK_PATTERN = / \[(objectif|à venir)\]/

export const removeMarks = (text: string) => text.replace(new RegExp(MARK_PATTERN, 'g'), '')

const ClaimMark = ({ children }: { children: string }) => (
  <span className="ml-0.5 inline-block rounded-full border border-line-strong px-1.5 align-[0.12em] text-[0.6875rem] font-medium leading-[1.125rem] tracking-normal text-ink-soft">
    {children}
  </span>
)

/** What ends a clause stays with the mark before it. */
const CLAUSE_END = /^[\u00a0]?[.,:;]/

/** A text of a page, in which `[objectif]` and `[à venir]` are drawn as a small mark. */
export function MarkedText({ text }: { text: string }) {
  // Splitting by an expression with a group keeps what the group held: every second part is a mark.
  const parts = text.split(MARK_PATTERN)
  return parts.map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never move
      <span key={index}>
        {' '}
        <span className="whitespace-nowrap">
          <ClaimMark>{part}</ClaimMark>
          {CLAUSE_END.exec(parts[index + 1] ?? '')?.[0]}
        </span>
      </span>
    ) : (
      part.replace(index > 0 ? CLAUSE_END : /^$/, '')
    ),
  )
}
