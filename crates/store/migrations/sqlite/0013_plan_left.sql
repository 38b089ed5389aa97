-- Plans that accounts had before another one: each keeps results for a while after it was left.

CREATE TABLE plan_left (
    account_id TEXT NOT NULL REFERENCES account (id),
    plan       TEXT NOT NULL,
    left_at    BIGINT NOT NULL,
    PRIMARY KEY (account_id, plan)
);
CREATE INDEX plan_left_age ON plan_left (left_at);
