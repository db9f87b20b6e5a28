const RAYS = 40
const CENTRE = 90
const [INNER, OUTER] = [62, 82]

/** A sun with as many bright rays as there was local energy; the sentence beside it says how much, once. */
export function LocalShareSun({ share, className }: { share: number; className?: string }) {
  const bright = share > 0 ? Math.max(1, Math.round(share * RAYS)) : 0
  return (
    <svg aria-hidden="true" viewBox="0 0 180 180" className={className}>
      {Array.from({ length: RAYS }, (_, ray) => {
        const angle = (ray / RAYS) * 2 * Math.PI - Math.PI / 2
        const at = (radius: number) => [CENTRE + Math.cos(angle) * radius, CENTRE + Math.sin(angle) * radius] as const
        const [[x1, y1], [x2, y2]] = [at(INNER), at(OUTER)]
        return (
          <line
            key={angle}
            x1={x1}
            y1={y1}
            x2={x2}
            y2={y2}
            strokeWidth="5"
            strokeLinecap="round"
            stroke={ray < bright ? 'var(--data-local)' : '#e7dfd0'}
          />
        )
      })}
      <circle cx={CENTRE} cy={CENTRE} r="48" fill="#fde3b0" />
      <circle cx={CENTRE} cy={CENTRE} r="38" fill="var(--data-local)" />
    </svg>
  )
}
