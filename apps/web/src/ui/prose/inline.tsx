import type { Inline } from '@voisol/contract/prose'
import { Link } from 'react-router'
import { each } from './each.ts'

const isOwn = (href: string) => href.startsWith('/') || href.startsWith('#')
const linkClass = 'text-link'

function Part({ part }: { part: Inline }) {
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
          <Inlines parts={part.children} />
        </strong>
      )
    case 'emphasis':
      return (
        <em>
          <Inlines parts={part.children} />
        </em>
      )
    case 'link':
      return isOwn(part.href) ? (
        <Link to={part.href} className={linkClass}>
          <Inlines parts={part.children} />
        </Link>
      ) : (
        <a href={part.href} rel="noopener noreferrer" className={linkClass}>
          <Inlines parts={part.children} />
        </a>
      )
  }
}

export const Inlines = ({ parts }: { parts: Inline[] }) => each(parts, (part) => <Part part={part} />)
