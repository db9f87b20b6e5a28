/** Width and height of the screen, then of the same screen on a telephone. */
const screenshots = {
  'a-traiter': [1404, 753, 764, 940],
  comparaison: [1404, 774, 764, 940],
  completude: [1404, 991, 764, 940],
  courbes: [1404, 960, 764, 940],
  etude: [1476, 1140, 764, 940],
  operation: [1476, 688, 764, 940],
  perimetre: [1404, 1050, 764, 940],
  portail: [1404, 741, 764, 940],
  production: [1404, 1140, 764, 940],
  repartition: [1404, 1140, 764, 940],
} as const

export type Screenshot = { picture: keyof typeof screenshots; alt: string; caption?: string }

/** A real screen of the demonstration, in a plain frame; its place is kept while it loads. */
export function ProductScreenshot({
  picture,
  alt,
  caption,
  eager,
  className,
}: Screenshot & { eager?: true; className?: string }) {
  const [width, height, phoneWidth, phoneHeight] = screenshots[picture]
  return (
    <figure className={className}>
      <picture>
        <source
          media="(max-width: 639px)"
          srcSet={`/product/${picture}-telephone.webp`}
          width={phoneWidth}
          height={phoneHeight}
        />
        <img
          src={`/product/${picture}.webp`}
          width={width}
          height={height}
          alt={alt}
          loading={eager ? 'eager' : 'lazy'}
          decoding="async"
          className="h-auto w-full rounded-card border border-line bg-page shadow-card"
        />
      </picture>
      {caption && <figcaption className="mt-3 text-sm text-ink-soft">{caption}</figcaption>}
    </figure>
  )
}
