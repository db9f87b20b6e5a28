import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { ApartmentBuilding, School, SmallHouse } from '../../../components/drawing/buildings.tsx'
import { drawingColours } from '../../../components/drawing/iso.ts'
import { Drawing, EnergyCable, GroundPlate, Meter, Tree } from '../../../components/drawing/solids.tsx'
import { Logo } from '../../../components/logo.tsx'
import { useComfortableDensity } from '../../../lib/density.ts'
import { PRODUCT_NAME } from '../../../lib/metadata.ts'
import { useBrand } from '../../../lib/stores.ts'

/** The company whose host this is, or the product. */
function BrandHeader() {
  const brand = useBrand()
  const logoSource = brand?.customLogo || brand?.logoUrl
  return (
    <header className="max-w-full min-w-0 self-start">
      <Link
        to={brand ? '/login' : '/'}
        className="inline-flex max-w-full items-center gap-2.5 text-xl font-semibold tracking-tight text-ink"
      >
        {logoSource ? (
          <img src={logoSource} alt="" className="h-9 w-auto max-w-40 shrink-0 object-contain" />
        ) : (
          <Logo className="size-8 shrink-0" />
        )}
        <bdi className="truncate">{brand?.companyName || PRODUCT_NAME}</bdi>
      </Link>
    </header>
  )
}

const DefaultPitch = () => (
  <>
    <p className="text-[2rem] leading-tight font-semibold tracking-[-0.02em] text-balance">
      L’énergie d’un toit, partagée entre voisins.
    </p>
    <p className="mt-4 max-w-md text-ink-soft">
      Chaque quart d’heure, ce que le soleil donne est mesuré, réparti et compté pour chacun.
    </p>
  </>
)

function SidePanel() {
  const brand = useBrand()
  const welcomeText = brand?.clientPortalCustomizations.welcome
  return (
    <aside
      className="hidden flex-col justify-between overflow-hidden border-l border-line bg-[#f3f7fc] lg:flex"
      style={brand ? { background: 'color-mix(in oklab, var(--secondary) 8%, white)' } : undefined}
    >
      <div className="max-w-xl px-14 pt-20">
        {brand && <div aria-hidden="true" className="mb-6 h-1 w-16 rounded-full bg-accent" />}
        {welcomeText ? (
          <p className="text-2xl leading-snug font-semibold wrap-anywhere whitespace-pre-line text-balance">
            <bdi>{welcomeText}</bdi>
          </p>
        ) : (
          <DefaultPitch />
        )}
      </div>
      <StreetIllustration className="w-full" />
    </aside>
  )
}

/** The form at the left, a calm drawing at the right; on a narrow screen the form alone. Top-aligned: an error pushes nothing above it. */
export function AuthLayout({ children }: { children: ReactNode }) {
  useComfortableDensity()
  return (
    <div className="grid min-h-dvh bg-card lg:grid-cols-[minmax(32rem,5fr)_7fr]">
      <div className="mx-auto flex w-full max-w-[28.5rem] min-w-0 flex-col px-5 py-6 sm:py-8">
        <BrandHeader />
        <main id="contenu" className="grid content-start gap-6 pt-10 pb-16 sm:pt-16 lg:pt-[clamp(2.5rem,11vh,7rem)]">
          {children}
        </main>
      </div>
      <SidePanel />
    </div>
  )
}

const Sun = () => (
  <g stroke="none">
    <circle cx={250} cy={-120} r={64} fill={drawingColours.glow} />
    <circle cx={250} cy={-120} r={38} fill={drawingColours.sun} />
  </g>
)

/** A street in the morning: the school's roof feeds its neighbours. */
const StreetIllustration = ({ className }: { className?: string }) => (
  <Drawing
    viewBox="-330 -210 700 560"
    className={className}
    label="Une rue au soleil du matin&nbsp;: le toit solaire de l’école alimente l’immeuble et les maisons voisines."
  >
    <Sun />
    <GroundPlate size={[14, 12]} />
    <EnergyCable
      points={[
        [10.4, 5.4, 0],
        [10.4, 7, 0],
        [6.8, 7, 0],
        [6.8, 4.4, 0],
        [5.8, 4.4, 0],
      ]}
    />
    <EnergyCable
      points={[
        [6.8, 7, 0],
        [4, 7, 0],
        [4, 8.4, 0],
      ]}
    />
    <EnergyCable
      points={[
        [10.4, 7, 0],
        [10.4, 8.6, 0],
      ]}
    />
    <Tree at={[1, 6, 0]} />
    <ApartmentBuilding at={[1, 1, 0]} floors={4} />
    <Meter at={[5.5, 4.2, 0]} />
    <School at={[8.2, 0.8, 0]} />
    <Meter at={[10.2, 5.4, 0]} />
    <Tree at={[13.2, 6.2, 0]} />
    <SmallHouse at={[2.2, 8.6, 0]} panels={4} />
    <Meter at={[3.8, 8.2, 0]} />
    <Tree at={[6.2, 9.4, 0]} size={0.9} />
    <SmallHouse at={[8.6, 8.8, 0]} />
    <Meter at={[10.2, 8.4, 0]} />
    <Tree at={[12.6, 9.6, 0]} size={0.8} />
  </Drawing>
)
