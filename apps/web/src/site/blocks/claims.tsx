import Check from 'lucide-react/icons/check'
import { MarkedText } from './words.tsx'

/** What is promised, each behind its tick. */
export const ClaimList = ({ claims, className }: { claims: string[]; className: string }) => (
  <ul className={className}>
    {claims.map((claim) => (
      <li key={claim} className="flex items-center gap-2">
        <Check aria-hidden="true" className="size-4 text-success" />
        <span>
          <MarkedText text={claim} />
        </span>
      </li>
    ))}
  </ul>
)
