const pictures = {
  'a-traiter': [1404, 753],
  comparaison: [1404, 774],
  completude: [1404, 992],
  courbes: [1404, 960],
  etude: [1476, 1140],
  operation: [1476, 660],
  perimetre: [1404, 1050],
  portail: [1404, 741],
  production: [1404, 1140],
  repartition: [1404, 1140],
} as const

export type Picture = { picture: keyof typeof pictures; alt: string; caption?: string }

/** A real screen of the demonstration, in a plain frame; its place is kept while it loads. */
export function ProductPicture({ picture, alt, caption, className }: Picture & { className?: string }) {
  const [width, height] = pictures[picture]
  return (
    <figure className={className}>
      <img
        src={`/product/${picture}.webp`}
        width={width}
        height={height}
        alt={alt}
        loading="lazy"
        decoding="async"
        className="h-auto w-full rounded-card border border-line bg-page shadow-card"
      />
      {caption && <figcaption className="mt-3 text-sm text-ink-soft">{caption}</figcaption>}
    </figure>
  )
}
