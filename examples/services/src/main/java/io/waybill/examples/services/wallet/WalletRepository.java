package io.waybill.examples.services.wallet;

import jakarta.persistence.LockModeType;
import java.util.Optional;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Lock;
import org.springframework.data.jpa.repository.Query;

/** The table {@code wallet}. */
interface WalletRepository extends JpaRepository<Wallet, String> {
  /** Changes of a wallet wait for each other, so that its events are written in their order. */
  @Lock(LockModeType.PESSIMISTIC_WRITE)
  @Query("select w from Wallet w where w.id = :id")
  Optional<Wallet> lock(String id);
}
