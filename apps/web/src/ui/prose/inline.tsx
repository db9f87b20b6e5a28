import type { Inline } from '@voisol/contract/prose'
import { Link } from 'react-router'
import { renderEach } from './each.ts'

const isInternalLink = (href: string) => href.startsWith('/') || href.startsWith('#')
const linkClass = 'text-link'

function InlinePart({ part }: { part: Inline }) {
  switch (part.kind) {
    case 'text':
      return part.text
    case 'break':
      return <br />
    case 'code':
      return <code className="rounded bg-slate-100 px-1.5 py-0.5 text-[0.9em]">{part.text}</code>
    case 'strong':
      return (
        <strong className="font-semibold text-ink">
          <InlineContent parts={part.children} />
        </strong>
      )
    case 'emphasis':
      return (
        <em>
          <InlineContent parts={part.children} />
        </em>
      )
    case 'link':
      return isInternalLink(part.href) ? (
        <Link to={part.href} className={linkClass}>
          <InlineContent parts={part.children} />
        </Link>
      ) : (
        <a href={part.href} rel="noopener noreferrer" className={linkClass}>
          <InlineContent parts={part.children} />
        </a>
      )
  }
}

export const InlineContent = ({ parts }: { parts: Inline[] }) => renderEach(parts, (part) => <InlinePart part={part} />)
