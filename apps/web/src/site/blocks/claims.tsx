import Check from 'lucide-react/icons/check'
import { Words } from './words.tsx'

/** What is promised, each behind its tick. */
export const Claims = ({ claims, className }: { claims: string[]; className: string }) => (
  <ul className={className}>
    {claims.map((claim) => (
      <li key={claim} className="flex items-center gap-2">
        <Check aria-hidden="true" className="size-4 text-success" />
        <span>
          <Words text={claim} />
        </span>
      </li>
    ))}
  </ul>
)
