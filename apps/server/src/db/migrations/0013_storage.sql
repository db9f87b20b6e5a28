-- Whether a point is one direction of a battery of the operation: what it charges, or what it releases.
ALTER TABLE "points" ADD COLUMN "storage" boolean DEFAULT false NOT NULL;
