import type { CellState } from './model.ts'

const BOX = <rect x="1.5" y="1.5" width="17" height="17" rx="4" />

/** Quiet when all is well, loud when something is missing; each state has its own shape. */
export const Glyph = ({ state }: { state: CellState }) => (
  <svg aria-hidden="true" width="20" height="20" viewBox="0 0 20 20" className="block">
    {state === 'r' && <g fill="#B7E2C6">{BOX}</g>}
    {state === 'p' && (
      <g>
        <g fill="#FFFFFF" stroke="#B45309">
          {BOX}
        </g>
        <path d="M2 17V6a4 4 0 0 1 4-4h11Z" fill="#FBD38D" />
      </g>
    )}
    {state === 'd' && (
      <g>
        <g fill="#FEF3C7" stroke="#92400E">
          {BOX}
        </g>
        <path d="M10 5.5v5.5m0 3v.5" stroke="#92400E" strokeWidth="2" strokeLinecap="round" />
      </g>
    )}
    {state === 'e' && (
      <g fill="#EEF2F6" stroke="#64748B" strokeWidth="1.25" strokeDasharray="2.5 2">
        {BOX}
      </g>
    )}
    {state === 'c' && (
      <g>
        <g fill="#B7E2C6">{BOX}</g>
        <path d="m10 5.5 4.5 4.5-4.5 4.5L5.5 10Z" fill="#166534" />
      </g>
    )}
    {state === 'm' && (
      <g>
        <g fill="#FEE2E2" stroke="#B91C1C" strokeWidth="1.25">
          {BOX}
        </g>
        <path d="m6.5 6.5 7 7m0-7-7 7" stroke="#B91C1C" strokeWidth="1.75" strokeLinecap="round" />
      </g>
    )}
    {state === '-' && <circle cx="10" cy="10" r="1.5" fill="#CBD5E1" />}
  </svg>
)
