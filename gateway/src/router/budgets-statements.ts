const SQLITE_NOW = `cast(round(unixepoch('subsec') * 1000) as integer)`;
const POSTGRES_NOW = 'floor(extract(epoch from clock_timestamp()) * 1000)::bigint';

/** Rows that ended and are deleted at a time. */
const FORGET = 100;

/**
 * One statement takes a charge: the row is inserted, or raised where it still fits, and what does not fit returns
 * nothing. SQLite has one writer; PostgreSQL locks the row of the conflict and looks at its newest version.
 */
export const BUDGET_STATEMENTS = {
  sqlite: {
    take: `insert into budget_counters (budget, subject, window_start, organisation_id, principal_id, run_id,
        calls, nanodollars, bytes, terms, ends_at)
      select ?1, ?2, iif(?6 = 0, 0, at - at % ?6), ?3, ?4, ?5, 1, ?7, 0, ?8, iif(?6 = 0, at + ?12, at - at % ?6 + ?6)
      from (select ${SQLITE_NOW} as at)
      where (?9 is null or ?9 >= 1) and (?10 is null or ?7 <= ?10) and (?11 is null or ?11 > 0)
      on conflict (budget, subject, window_start) do update set calls = calls + 1,
        nanodollars = nanodollars + excluded.nanodollars, terms = excluded.terms, ends_at = excluded.ends_at,
        organisation_id = excluded.organisation_id
      where (?9 is null or calls + 1 <= ?9) and (?10 is null or nanodollars + ?7 <= ?10)
        and (?11 is null or bytes < ?11)
      returning window_start, calls`,
    read: `select at as now, calls, nanodollars, bytes from (select ${SQLITE_NOW} as at)
      left join budget_counters on budget = ?1 and subject = ?2 and window_start = iif(?3 = 0, 0, at - at % ?3)`,
    giveBack: `update budget_counters set calls = max(calls - 1, 0), nanodollars = max(nanodollars - ?4, 0)
      where budget = ?1 and subject = ?2 and window_start = ?3`,
    addBytes: `update budget_counters set bytes = bytes + ?4
      where budget = ?1 and subject = ?2 and window_start = ?3`,
    forget: `delete from budget_counters where rowid in
      (select rowid from budget_counters where ends_at <= ${SQLITE_NOW} order by ends_at limit ${FORGET})`,
    list: `select * from budget_counters where ends_at > ${SQLITE_NOW}
      and (?1 is null or organisation_id = ?1) and (?2 is null or principal_id is null or principal_id = ?2)
      order by budget, subject, window_start`,
  },
  postgres: {
    take: `with clock as materialized (select ${POSTGRES_NOW} as at)
      insert into budget_counters as counter (budget, subject, window_start, organisation_id, principal_id, run_id,
        calls, nanodollars, bytes, terms, ends_at)
      select $1::text, $2::text, case when $6::bigint = 0 then 0 else at - at % $6::bigint end,
        $3::text, $4::text, $5::text, 1, $7::bigint, 0, $8::text,
        case when $6::bigint = 0 then at + $12::bigint else at - at % $6::bigint + $6::bigint end
      from clock where ($9::bigint is null or $9::bigint >= 1)
        and ($10::bigint is null or $7::bigint <= $10::bigint) and ($11::bigint is null or $11::bigint > 0)
      on conflict (budget, subject, window_start) do update set calls = counter.calls + 1,
        nanodollars = counter.nanodollars + excluded.nanodollars, terms = excluded.terms, ends_at = excluded.ends_at,
        organisation_id = excluded.organisation_id
      where ($9::bigint is null or counter.calls + 1 <= $9::bigint)
        and ($10::bigint is null or counter.nanodollars + $7::bigint <= $10::bigint)
        and ($11::bigint is null or counter.bytes < $11::bigint)
      returning window_start, calls`,
    read: `with clock as materialized (select ${POSTGRES_NOW} as at)
      select at as now, calls, nanodollars, bytes from clock left join budget_counters
      on budget = $1::text and subject = $2::text
        and window_start = case when $3::bigint = 0 then 0 else at - at % nullif($3::bigint, 0) end`,
    giveBack: `update budget_counters
      set calls = greatest(calls - 1, 0), nanodollars = greatest(nanodollars - $4::bigint, 0)
      where budget = $1::text and subject = $2::text and window_start = $3::bigint`,
    addBytes: `update budget_counters set bytes = bytes + $4::bigint
      where budget = $1::text and subject = $2::text and window_start = $3::bigint`,
    forget: `delete from budget_counters where ctid in (select ctid from budget_counters
      where ends_at <= ${POSTGRES_NOW} order by ends_at limit ${FORGET} for update skip locked)`,
    list: `select * from budget_counters where ends_at > ${POSTGRES_NOW}
      and ($1::text is null or organisation_id = $1::text)
      and ($2::text is null or principal_id is null or principal_id = $2::text)
      order by budget, subject, window_start`,
  },
} as const;
