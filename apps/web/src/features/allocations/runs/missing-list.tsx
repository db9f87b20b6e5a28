import { formatCount } from '../../../lib/format.ts'

const VISIBLE_COUNT = 5

/** What a definitive run lacks, a sentence each; a long list opens on demand. */
export const MissingList = ({ missing }: { missing: string[] }) => (
  <div className="grid gap-1.5 text-body">
    <ul className="grid list-disc gap-1.5 pl-5">
      {missing.slice(0, VISIBLE_COUNT).map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
    {missing.length > VISIBLE_COUNT && (
      <details>
        <summary className="min-h-6 cursor-pointer text-link">
          {formatCount(missing.length - VISIBLE_COUNT, 'autre manque', 'autres manques')}
        </summary>
        <ul className="mt-1.5 grid list-disc gap-1.5 pl-5">
          {missing.slice(VISIBLE_COUNT).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </details>
    )}
  </div>
)
